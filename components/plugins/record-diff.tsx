import { plainText } from '@/lib/values/exact-json'

type Fields = Readonly<Record<string, unknown>> | null
type Props = { before: Fields; after: Fields; hidden?: readonly string[] }

/** The fields of a record that change, each with its value before and after; empty ones of a new record are left out. */
export function RecordDiff({ before, after, hidden = [] }: Props) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => !hidden.includes(name) && (isPresent(before, name) || isPresent(after, name)),
  )
  if (names.length === 0) return null
  return (
    <dl className="grid min-w-0 gap-x-3 gap-y-1 text-xs sm:grid-cols-[minmax(6rem,10rem)_minmax(0,1fr)]">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="truncate leading-5 font-medium text-muted-foreground" title={name}>
            {name}
          </dt>
          <dd className="flex min-w-0 flex-wrap items-start gap-1.5 leading-5">
            {before && <Side label="before" value={before[name]} isRemoved />}
            {before && after && <span aria-hidden>→</span>}
            {after && <Side label="after" value={after[name]} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isPresent = (fields: Fields, name: string) => fields?.[name] != null

type SideProps = { label: string; value: unknown; isRemoved?: boolean }

function Side({ label, value, isRemoved = false }: SideProps) {
  const look = isRemoved ? 'bg-destructive-soft text-destructive' : 'bg-success-soft text-success'
  const isEmpty = value === null || value === undefined || value === ''
  const Tag = isRemoved ? 'del' : 'ins'
  return (
    <Tag
      className={`line-clamp-4 max-w-full rounded px-1 font-mono break-words whitespace-pre-wrap no-underline ${look}`}
    >
      <span className="sr-only">{label}: </span>
      {isEmpty ? <i className="not-italic opacity-70">empty</i> : plainText(value)}
    </Tag>
  )
}
