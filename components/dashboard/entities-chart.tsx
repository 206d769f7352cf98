'use client'
import { Bar, BarChart, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import { ROW } from './bar-row'

export type EntityCount = { name: string; count: number }

/** Records of the largest entities: a bar between the name and the number of each. */
export default function EntitiesChart({ entities }: { entities: EntityCount[] }) {
  return (
    <div className="relative">
      <ul>
        {entities.map(({ name, count }) => (
          <li
            key={name}
            className="relative flex items-center justify-between gap-3 rounded hover:bg-accent/50"
            style={{ height: ROW }}
          >
            <Link
              href={`/entities/${encodeURIComponent(name)}`}
              className="w-28 truncate after:absolute after:inset-0 sm:w-40"
            >
              {name}
            </Link>
            <span className="tabular">{formatCount(count)}</span>
          </li>
        ))}
      </ul>
      <div
        aria-hidden
        className="pointer-events-none absolute top-0 right-20 left-31 sm:left-44"
        style={{ height: entities.length * ROW }}
      >
        <ResponsiveContainer>
          <BarChart
            accessibilityLayer={false}
            data={entities}
            layout="vertical"
            margin={{ left: 0, right: 0, top: 0, bottom: 0 }}
          >
            <XAxis type="number" hide />
            <YAxis type="category" dataKey="name" hide />
            <Bar
              dataKey="count"
              fill="var(--chart-1)"
              isAnimationActive={false}
              barSize={10}
              minPointSize={2}
              radius={2}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
    </div>
  )
}
