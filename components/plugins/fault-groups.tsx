import { ArrowRightIcon } from 'lucide-react'
import { serializeListParams } from '@/components/data-table/list-params'
import { useCan } from '@/components/shell/viewer'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import type { FaultGroup } from '@/lib/definitions/definition-faults'
import { allowedText, examplesText, faultText } from '@/lib/definitions/fault-words'
import { plainText } from '@/lib/values/exact-json'

type Props = {
  label: string
  groups: readonly FaultGroup[]
  /** Of a table, which has rows. */
  isOfRows?: boolean
  /** What people call a field. */
  labelOf?: (field: string) => string
}

/** What is wrong with records, by rule: how many, which are allowed, the first keys, and the way to all of them. */
export const FaultGroups = ({
  label,
  groups,
  isOfRows = false,
  labelOf = (field) => field,
}: Props) => (
  <ul aria-label={label} className="divide-y overflow-hidden rounded-md border bg-card text-[13px]">
    {groups.map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed
      <Group key={index} group={labelled(group, labelOf)} isOfRows={isOfRows} />
    ))}
  </ul>
)

/** Faults of keys name several fields. */
const labelled = (group: FaultGroup, labelOf: (field: string) => string): FaultGroup =>
  group.field === null
    ? group
    : { ...group, field: group.field.split(', ').map(labelOf).join(', ') }

function Group({ group, isOfRows }: { group: FaultGroup; isOfRows: boolean }) {
  const allowed = allowedText(group)
  const examples = examplesText(group)
  return (
    <li className="grid gap-1 px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <span className="min-w-0 font-medium break-words">
          {faultText(group)}
          {examples && <span className="font-normal">, {examples}</span>}
        </span>
        {allowed && <span className="min-w-0 break-words text-muted-foreground">({allowed})</span>}
        <RecordsLink group={group} />
      </p>
      <Which group={group} isOfRows={isOfRows} />
    </li>
  )
}

/** The entity with exactly these records, for people who may read it. */
function RecordsLink({ group: { entity, filter, total } }: { group: FaultGroup }) {
  const mayRead = useCan({ entity: entity ?? '*', action: 'read' })
  if (entity === null || filter === null || !mayRead) return null
  return (
    <Link
      href={serializeListParams(`/entities/${encodeURIComponent(entity)}`, { filter })}
      className="flex items-center gap-1 text-primary hover:underline sm:ml-auto"
    >
      Show {total === 1 ? 'the record' : `these ${formatCount(total)}`} in {entity}
      <ArrowRightIcon aria-hidden className="size-3.5" />
    </Link>
  )
}

/** Keys of stored records, positions of those of the file; and how many there are besides. */
function Which({ group, isOfRows }: { group: FaultGroup; isOfRows: boolean }) {
  const { entity, keys, indexes, total } = group
  const areIndexed = entity === null && indexes.length > 0
  const named = areIndexed ? indexes.map((index) => String(1 + index)) : keys.map(keyText)
  if (named.length === 0) return null
  const left = total - named.length
  return (
    <p className="min-w-0 text-xs text-muted-foreground">
      {areIndexed ? (isOfRows ? 'Rows: ' : 'Records in the file: ') : 'Keys: '}
      <span className="font-mono break-all">{named.join(', ')}</span>
      {left > 0 && ` and ${formatCount(left)} more`}
    </p>
  )
}

const keyText = (key: unknown): string =>
  typeof key === 'object' && key?.constructor === Object
    ? Object.values(key).map(plainText).join(' · ')
    : plainText(key)
