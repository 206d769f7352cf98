'use client'
import Link from 'next/link'
import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCount } from '@/components/ui/number'
import { TEXT, TOOLTIP } from './installs-chart'

export type EntityCount = { name: string; count: number }

/** Records of the largest entities; the numbers beside it lead to them. */
export default function EntitiesChart({ entities }: { entities: EntityCount[] }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div aria-hidden className="h-52">
        <ResponsiveContainer>
          <BarChart
            accessibilityLayer={false}
            data={entities}
            layout="vertical"
            margin={{ left: 8, right: 8, top: 0, bottom: 0 }}
          >
            <XAxis type="number" hide />
            <YAxis
              type="category"
              dataKey="name"
              width={96}
              tickLine={false}
              axisLine={false}
              {...TEXT}
            />
            <Tooltip cursor={{ fill: 'var(--accent)' }} contentStyle={TOOLTIP} />
            <Bar
              dataKey="count"
              name="Records"
              fill="var(--chart-1)"
              isAnimationActive={false}
              maxBarSize={16}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <ul className="grid content-start gap-1.5">
        {entities.map(({ name, count }) => (
          <li key={name} className="flex justify-between gap-3">
            <Link
              href={`/entities/${encodeURIComponent(name)}`}
              className="truncate hover:underline"
            >
              {name}
            </Link>
            <span className="tabular">{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
