import { fieldLabel } from '@/components/data-table/field-label'
import { keyValues } from '@/components/entities/key-values'
import { nameOf } from '@/components/entities/record-title'
import { useReferenceTitle } from '@/components/entities/reference-titles'
import type { ColumnDescription, EntityRecord } from '@/components/entities/types'
import { VersionChanges } from '@/components/record-history/version-changes'
import { Checkbox } from '@/components/ui/checkbox'
import { CodeBlock } from '@/components/ui/code-block'
import { Link } from '@/components/ui/link'
import type { TrashedRecord } from '@/lib/trash/contract'
import { type ExactJson, exactJsonText, isNested, plainText } from '@/lib/values/exact-json'

type Props = {
  entity: string
  columns: readonly ColumnDescription[]
  record: TrashedRecord
  chosen: boolean
  onToggle: (() => void) | null
}

/** A record by its title, with what happened to it; one that is still there has a link. */
export function TrashedRow({ entity, columns, record: row, chosen, onToggle }: Props) {
  const { key, record, problem, change, changes = [] } = row
  const values = keyValues(key, columns)
  const now = useReferenceTitle(change && values ? { entity, values } : null)
  const title = nameOf(record as EntityRecord, columns) ?? now
  const name = Object.values(values ?? { key: plainText(key) }).join(' · ')
  const heading = (
    <>
      {title && <bdi className="font-medium">{title}</bdi>}{' '}
      <span className="font-mono text-xs text-muted-foreground">{name}</span>
    </>
  )
  return (
    <li className="flex items-start gap-2.5 px-3 py-1.5">
      {onToggle && (
        <Checkbox
          aria-label={`Choose ${name}`}
          className="mt-0.5"
          checked={chosen}
          onCheckedChange={onToggle}
        />
      )}
      <details className="min-w-0 flex-1">
        <summary className="cursor-pointer truncate">
          {heading}
          <span aria-hidden className="text-muted-foreground">
            {' · '}
          </span>
          <span className="text-muted-foreground">
            {change === 'edited'
              ? changedFields(changes, columns)
              : `${change ? 'Created · ' : ''}${summaryOf(record, [name, title ?? ''])}`}
          </span>
        </summary>
        <div className="@container my-1.5">
          {change === 'edited' ? (
            <VersionChanges
              changes={changes as { field: string; before: ExactJson; after: ExactJson }[]}
              columns={columns}
            />
          ) : (
            <CodeBlock label={`Record ${name}`} code={exactJsonText(record, 2)} />
          )}
        </div>
      </details>
      {problem && <span className="max-w-[45%] text-xs text-warning">{problem}</span>}
      {change && values && (
        <Link
          href={addressOf(entity, values)}
          aria-label={`Open ${title ?? name}`}
          className="shrink-0 rounded text-xs text-primary hover:underline"
        >
          Open
        </Link>
      )}
    </li>
  )
}

type Changes = NonNullable<TrashedRecord['changes']>

/** `Price, Stock` */
const changedFields = (changes: Changes, columns: readonly ColumnDescription[]): string =>
  changes
    .map(({ field }) => {
      const column = columns.find(({ name }) => name === field)
      return column ? fieldLabel(column) : field
    })
    .join(', ')

/** One key is the record's id; of several, which only the server joins, the list is filtered. */
function addressOf(entity: string, values: Record<string, string>): string {
  const path = `/entities/${encodeURIComponent(entity)}`
  const entries = Object.entries(values)
  const [only] = entries
  if (only && entries.length === 1) return `${path}?record=${encodeURIComponent(only[1])}`
  const query = entries.map(([field, value]) => ({ field, operator: 'eq', value }))
  return `${path}?filter=${encodeURIComponent(JSON.stringify(query))}`
}

const SHOWN = 3

/** Its first values beside those that are shown, so that people recognise it. */
function summaryOf(record: TrashedRecord['record'], shown: readonly string[]): string {
  const values = Object.values(record).filter(
    (value) => value !== null && value !== '' && !isNested(value),
  )
  return values
    .map(plainText)
    .filter((text) => !shown.includes(text))
    .slice(0, SHOWN)
    .join(' · ')
}
