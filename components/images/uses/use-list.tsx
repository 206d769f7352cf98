import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import type { ImageUse } from '@/lib/images/uses-contract'
import type { ImageUses } from './uses-query'

/** Records that use an image, with the way to them, and what is not known of others. */
export function UseList({ found }: { found: ImageUses }) {
  const remarks = remarksOf(found)
  const entities = [...new Set(found.uses.map(({ entity }) => entity))]
  return (
    <div className="grid gap-2 text-[13px]">
      {entities.map((entity) => (
        <section key={entity} aria-label={entity}>
          <h4 className="text-xs text-muted-foreground">{entity}</h4>
          <ul>
            {found.uses
              .filter((use) => use.entity === entity)
              .map((use) => (
                <Use key={use.persistenceId} use={use} />
              ))}
            {found.more.includes(entity) && <li className="text-muted-foreground">and more</li>}
          </ul>
        </section>
      ))}
      {remarks.map((remark) => (
        <p key={remark} className="text-muted-foreground">
          {remark}
        </p>
      ))}
    </div>
  )
}

const Use = ({ use: { entity, persistenceId, title, fields } }: { use: ImageUse }) => (
  <li className="flex min-h-6 min-w-0 flex-wrap items-baseline gap-x-2">
    <Link
      href={`/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(persistenceId)}`}
      className="max-w-full truncate rounded text-primary underline-offset-2 hover:underline"
    >
      {title}
    </Link>
    <span className="text-xs text-muted-foreground">in {fields.join(', ')}</span>
  </li>
)

/** What the list does not show. */
function remarksOf({ uses, hidden, more, incomplete, complete }: ImageUses): string[] {
  const unlisted = more.filter((name) => !uses.some(({ entity }) => entity === name))
  return [
    unlisted.length > 0 && `Records of ${unlisted.join(', ')} use it, too.`,
    hidden > 0 &&
      `${countOf(hidden, 'record')} that you may not read ${hidden === 1 ? 'uses' : 'use'} it, too.`,
    incomplete.length > 0 && `${incomplete.join(', ')} could not be searched in time.`,
    !complete && incomplete.length === 0 && 'Not every entity could be searched in time.',
  ].filter((remark) => remark !== false)
}
