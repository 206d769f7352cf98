import { ChartTable } from './chart-table'
import type { Day } from './installs-by-day'

const SERIES = [
  { key: 'good', name: 'Installed', color: 'var(--chart-2)' },
  { key: 'partial', name: 'Partial', color: 'var(--chart-3)' },
  { key: 'failed', name: 'Failed', color: 'var(--chart-4)' },
] as const

/** Installs of the last days, stacked by outcome. */
export function InstallsChart({ days }: { days: Day[] }) {
  const greatest = roundUp(Math.max(...days.map(sum)))
  return (
    <>
      <div aria-hidden className="flex h-48 gap-2 pb-5 text-xs text-muted-foreground">
        <div className="tabular flex flex-col justify-between text-right leading-none">
          <span>{greatest}</span>
          <span>{greatest / 2}</span>
          <span>0</span>
        </div>
        <div className="flex grow items-end border-b bg-[linear-gradient(var(--border),var(--border)),linear-gradient(var(--border),var(--border))] bg-[length:100%_1px] bg-[position:0_0,0_50%] bg-no-repeat">
          {days.map((day, at) => (
            <Bar key={day.day} day={day} greatest={greatest} hasLabel={at % LABEL_EVERY === 0} />
          ))}
        </div>
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
          .filter((day) => sum(day) > 0)
          .map(({ day, ...counts }) => [day, ...SERIES.map(({ key }) => String(counts[key]))])}
      />
    </>
  )
}

/** A day under every seventh bar leaves room for its text at any width. */
const LABEL_EVERY = 7

const sum = ({ good, partial, failed }: Day) => good + partial + failed

/** The next even number, so that half of it is a number of installs. */
const roundUp = (count: number) => Math.max(2, Math.ceil(count / 2) * 2)

type BarProps = { day: Day; greatest: number; hasLabel: boolean }

function Bar({ day, greatest, hasLabel }: BarProps) {
  const counts = SERIES.map(({ key, name }) => `${name}: ${day[key]}`).join(' · ')
  return (
    <div
      title={`${day.day} · ${counts}`}
      className="relative flex h-full flex-1 flex-col-reverse items-center hover:bg-accent"
    >
      {SERIES.map(({ key, color }) => (
        <span
          key={key}
          className="w-3/4 max-w-4.5 shrink-0"
          style={{ height: `${(100 * day[key]) / greatest}%`, background: color }}
        />
      ))}
      {hasLabel && (
        <span className="absolute top-full left-0 pt-1 whitespace-nowrap">{day.day.slice(5)}</span>
      )}
    </div>
  )
}
