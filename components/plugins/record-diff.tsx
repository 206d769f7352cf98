import { fieldLabel } from '@/components/data-table/field-label'
import { NamedValue } from '@/components/entities/named-value'
import type { ColumnDescription } from '@/components/entities/types'
import { type ExactJson, plainText } from '@/lib/values/exact-json'

type Fields = Readonly<Record<string, unknown>> | null
type Props = {
  before: Fields
  after: Fields
  hidden?: readonly string[]
  /** Of the entity, where it is known: fields are shown by their labels, references by their names. */
  columns?: readonly ColumnDescription[]
}

/** The fields of a record that change, each with its value before and after; empty ones of a new record are left out. */
export function RecordDiff({ before, after, hidden = [], columns = [] }: Props) {
  const columnOf = (name: string) => columns.find((column) => column.name === name)
  const referring = (name: string) => {
    const column = columnOf(name)
    return column?.rules.reference ? column : undefined
  }
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => !hidden.includes(name) && (isPresent(before, name) || isPresent(after, name)),
  )
  if (names.length === 0) return null
  return (
    <dl className="grid min-w-0 gap-x-3 gap-y-1 text-xs sm:grid-cols-[minmax(6rem,10rem)_minmax(0,1fr)]">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="truncate leading-5 font-medium text-muted-foreground" title={name}>
            {fieldLabel(columnOf(name) ?? { name })}
          </dt>
          <dd className="flex min-w-0 flex-wrap items-start gap-1.5 leading-5">
            {before && (
              <Side label="before" value={before[name]} column={referring(name)} isRemoved />
            )}
            {before && after && <span aria-hidden>→</span>}
            {after && <Side label="after" value={after[name]} column={referring(name)} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isPresent = (fields: Fields, name: string) => fields?.[name] != null

type SideProps = {
  label: string
  value: unknown
  column?: ColumnDescription
  isRemoved?: boolean
}

function Side({ label, value, column, isRemoved = false }: SideProps) {
  const look = isRemoved ? 'bg-destructive-soft text-destructive' : 'bg-success-soft text-success'
  const isEmpty = value === null || value === undefined || value === ''
  const Tag = isRemoved ? 'del' : 'ins'
  return (
    <Tag
      className={`line-clamp-4 max-w-full rounded px-1 font-mono break-words whitespace-pre-wrap no-underline ${look}`}
    >
      <span className="sr-only">{label}: </span>
      {isEmpty ? (
        <i>empty</i>
      ) : column ? (
        <NamedValue value={value as ExactJson} column={column} />
      ) : (
        plainText(value)
      )}
    </Tag>
  )
}
