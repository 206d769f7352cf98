import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'

export type EntityCount = { name: string; count: number }

/** Records of the largest entities: a bar between the name and the number of each. */
export function EntitiesChart({ entities }: { entities: EntityCount[] }) {
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
