import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { NoEntities } from '@/components/entities/no-entities'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { useSearch } from '@/lib/query/search'
import { installsSince } from './dashboard-searches'
import { DAYS, type Day, firstDay, installsByDay } from './installs-by-day'

const ChartSkeleton = () => <Skeleton className="h-52" />

/** How many bars there is room for. */
const LARGEST = 8

export function Installs() {
  const [now] = useState(Date.now)
  const installs = useSearch<{ startedAt: string; status: string }>(
    'EnginePluginHistory',
    installsSince(firstDay(now)),
  )
  return (
    <Card title={`Installs of the last ${DAYS} days`}>
      <div className="grid min-h-56 gap-2">
        {installs.error ? (
          <ErrorState of={installs} />
        ) : installs.data ? (
          <InstallsChart days={installsByDay(installs.data.data, now)} />
        ) : (
          <ChartSkeleton />
        )}
      </div>
    </Card>
  )
}

export function RecordsByEntity() {
  const entities = useQuery(entitiesOptions)
  const counted = (entities.data?.data ?? [])
    .map(({ name, records }) => ({ name, count: records?.value ?? 0 }))
    .sort((a, b) => b.count - a.count)
    .slice(0, LARGEST)
  return (
    <Card title="Records by entity">
      <div>
        {entities.error ? (
          <ErrorState of={entities} />
        ) : entities.isPending ? (
          <ChartSkeleton />
        ) : counted.length === 0 ? (
          <NoEntities />
        ) : (
          <EntitiesChart entities={counted} />
        )}
      </div>
    </Card>
  )
}

type EntityCount = { name: string; count: number }

/** Records of the largest entities: a bar between the name and the number of each. */
function EntitiesChart({ entities }: { entities: EntityCount[] }) {
  const greatest = Math.max(1, ...entities.map(({ count }) => count))
  return (
    <ul>
      {entities.map(({ name, count }) => (
        <li key={name} className="relative flex h-7 items-center gap-3 rounded hover:bg-accent/50">
          <Link
            href={`/entities/${encodeURIComponent(name)}`}
            className="w-28 shrink-0 truncate after:absolute after:inset-0 sm:w-40"
          >
            {name}
          </Link>
          <span aria-hidden className="h-2.5 grow">
            <span
              className="block h-full min-w-0.5 rounded-xs bg-(--chart-1)"
              style={{ width: `${(100 * count) / greatest}%` }}
            />
          </span>
          <span className="tabular w-17 shrink-0 text-right">{formatCount(count)}</span>
        </li>
      ))}
    </ul>
  )
}

const SERIES = [
  { key: 'good', name: 'Installed', color: 'var(--chart-2)' },
  { key: 'partial', name: 'Partial', color: 'var(--chart-3)' },
  { key: 'failed', name: 'Failed', color: 'var(--chart-4)' },
] as const

/** Installs of the last days, stacked by outcome. */
function InstallsChart({ days }: { days: Day[] }) {
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

type Props = { caption: string; heads: string[]; rows: string[][] }

/** The numbers of a chart for screen readers. */
const ChartTable = ({ caption, heads, rows }: Props) => (
  <table className="sr-only">
    <caption>{caption}</caption>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([first, ...rest]) => (
        <tr key={first}>
          <th scope="row">{first}</th>
          {rest.map((cell, at) => (
            <td key={heads[at + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
