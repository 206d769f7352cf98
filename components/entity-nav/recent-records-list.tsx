'use client'
import { Link } from '@/components/ui/link'
import type { Listed } from './group-entities'
import { useRecentRecords } from './recent-records'

type Props = { known: readonly Listed[]; onNavigate?: () => void }

/** The records opened last, of entities that are still there for the user. */
export function RecentRecords({ known, onNavigate }: Props) {
  const names = new Set(known.map(({ name }) => name))
  const records = useRecentRecords().filter(({ entity }) => names.has(entity))
  if (records.length === 0) return null
  return (
    <section className="mb-3" aria-label="Recent records">
      <h2 className="px-2 py-1 text-xs text-muted-foreground">Recent</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
        {records.map(({ entity, id, title }) => (
          <li key={`${entity} ${id}`}>
            <Link
              href={`/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(id)}`}
              onClick={onNavigate}
              title={`${entity} ${id}`}
              className="flex h-7 items-center gap-2 rounded-md px-2 text-[13px] text-muted-foreground transition-colors hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2"
            >
              <span className="truncate">{title}</span>
              <span className="ml-auto max-w-20 shrink-0 truncate text-xs">{entity}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
