'use client'
import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { ChartTable } from './chart-table'
import type { Day } from './installs-by-day'

const SERIES = [
  { key: 'good', name: 'Installed', color: 'var(--chart-2)' },
  { key: 'partial', name: 'Partial', color: 'var(--chart-3)' },
  { key: 'failed', name: 'Failed', color: 'var(--chart-4)' },
] as const

/** Installs of the last days, stacked by outcome. */
export default function InstallsChart({ days }: { days: Day[] }) {
  return (
    <>
      <div aria-hidden className="h-48">
        <ResponsiveContainer>
          <BarChart
            accessibilityLayer={false}
            data={days}
            margin={{ left: -24, right: 4, top: 4, bottom: 0 }}
          >
            <XAxis
              dataKey="day"
              tickFormatter={(day: string) => day.slice(5)}
              tickLine={false}
              axisLine={false}
              minTickGap={24}
              {...TEXT}
            />
            <YAxis allowDecimals={false} tickLine={false} axisLine={false} {...TEXT} />
            <Tooltip cursor={{ fill: 'var(--accent)' }} contentStyle={TOOLTIP} />
            {SERIES.map(({ key, name, color }) => (
              <Bar
                key={key}
                dataKey={key}
                name={name}
                stackId="outcome"
                fill={color}
                isAnimationActive={false}
                maxBarSize={18}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted-foreground">
        {SERIES.map(({ key, name, color }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-xs" style={{ background: color }} />
            {name}
          </li>
        ))}
      </ul>
      <ChartTable
        caption="Installs by day"
        heads={['Day', ...SERIES.map(({ name }) => name)]}
        rows={days
          .filter(({ good, partial, failed }) => good + partial + failed > 0)
          .map(({ day, ...counts }) => [day, ...SERIES.map(({ key }) => String(counts[key]))])}
      />
    </>
  )
}

const TEXT = { tick: { fill: 'var(--muted-foreground)', fontSize: 11 } }
const TOOLTIP = {
  background: 'var(--popover)',
  border: '1px solid var(--border)',
  borderRadius: 6,
  fontSize: 12,
}
