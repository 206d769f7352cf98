import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { announceDeletion } from '@/components/trash/announce-restoration'
import { refreshRecords } from '@/components/trash/trash-queries'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import type { Blocker, Effect } from '@/lib/records/contract'
import { ConditionList } from './condition-list'
import { deleteMatching, UNDO_DAYS } from './delete-matching'
import { columnsOptions, countOptions } from './entity-queries'
import {
  type ReferringField,
  recordsHref,
  referringFieldsOf,
  referringToMatches,
} from './referring'
import type { ColumnDescription } from './types'

type Props = {
  entity: string
  query: readonly Condition[]
  /** Of the only record that matches. */
  name?: string
  /** What the records have in common, where they were not chosen one by one. */
  conditions?: { filter: readonly Condition[]; columns: ColumnDescription[] }
  onClose: () => void
  onDeleted: () => void
}

/** From here on the entity's name has to be typed. */
const MANY = 100

/**
 * Asks before records are deleted. The server counts them with the same conditions, and the number
 * is sent as `expected`: if it has changed since, nothing is deleted.
 */
export default function DeleteRecords(props: Props) {
  const { entity, query, name, conditions, onClose, onDeleted } = props
  const count = useQuery({
    queryKey: ['delete-count', entity, query],
    queryFn: () => deleteMatching(entity, query, 'dryRun=true'),
    staleTime: 0,
    gcTime: 0,
  })
  const expected = count.data?.effected
  const deletion = useMutation({
    mutationFn: () => deleteMatching(entity, query, `expected=${expected}&undo=${UNDO_DAYS}d`),
    onSuccess: ({ effected, batchId }) => {
      onDeleted()
      onClose()
      void refreshRecords()
      announceDeletion(effected, entity, batchId)
    },
    onError: () => void count.refetch(),
  })
  const { blockedBy = [], effects = [] } = count.data ?? {}
  const blocked =
    blockedBy.length > 0
      ? 'Nothing can be deleted while records refer to it. Change or delete those first.'
      : null
  const many = expected === undefined ? 'records' : countOf(expected, 'record')
  const what = name ? `“${name}”` : many
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${what} ${name ? 'from' : 'of'} ${entity}?`}
      description={
        query.length === 0
          ? `All records of ${entity} are deleted. They can be restored for ${UNDO_DAYS} days.`
          : `${name || expected === 1 ? 'It' : 'They'} can be restored for ${UNDO_DAYS} days.`
      }
      confirmLabel={
        expected === undefined ? 'Counting' : expected === 1 ? 'Delete record' : `Delete ${many}`
      }
      disabled={expected === undefined || expected === 0 || blocked !== null}
      typeToConfirm={(expected ?? 0) > MANY ? entity : undefined}
      attempt={deletion}
      error={count.error?.message ?? blocked ?? undefined}
      onConfirm={() => deletion.mutate()}
    >
      {conditions && <ConditionList {...conditions} of="deletion" />}
      <DeletionReferences entity={entity} query={query} blockedBy={blockedBy} effects={effects} />
    </ConfirmDialog>
  )
}

type DeletionReferencesProps = {
  entity: string
  /** Matches what is to be deleted. */
  query: readonly Condition[]
  blockedBy: readonly Blocker[]
  effects: readonly Effect[]
}

type Line = { entity: string; field?: string; count: number | null; text: string; stops: boolean }

/** What a deletion does to the records that refer to the deleted ones, with the way to them. */
function DeletionReferences({ entity, query, blockedBy, effects }: DeletionReferencesProps) {
  const referring = referringFieldsOf(useQuery(columnsOptions(entity)).data)
  const kept = useKept(referring, query)
  const lines = [...blockedBy.map(blockerLine), ...effects.map(effectLine), ...kept]
  if (lines.length === 0) return null
  return (
    <ul aria-label="References" className="grid gap-1 rounded-md border px-3 py-2 text-[13px]">
      {lines.map((line) => (
        <li key={`${line.entity} ${line.field} ${line.text}`}>
          <Referring line={line} href={hrefOf(line, referring, query)} />{' '}
          <span className={line.stops ? 'text-destructive' : 'text-muted-foreground'}>
            {line.text}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Referring({ line, href }: { line: Line; href: string | null }) {
  const { entity, count } = line
  const text = `${count === null ? 'Records' : countOf(count, 'record')} of ${entity}`
  if (href === null) return text
  return (
    <Link href={href} className="rounded text-primary underline underline-offset-2">
      {text}
    </Link>
  )
}

const blockerLine = ({ entity, field, count }: Blocker): Line => ({
  entity,
  field,
  count,
  text: `${count === 1 ? 'refers' : 'refer'} to ${THESE} by ${field}, which prevents the deletion`,
  stops: true,
})

const THESE = 'what is deleted'

const effectLine = ({ entity, field, action, count }: Effect): Line => ({
  entity,
  field,
  count,
  text:
    action === 'deleted'
      ? `${count === 1 ? 'is' : 'are'} deleted too`
      : `${count === 1 ? 'loses its' : 'lose their'} ${field}`,
  stops: false,
})

/** So many fields are counted that no deletion changes; rarely is there one. */
const MAX_COUNTED = 5

/** The records whose reference is not enforced: the server says nothing about these. */
function useKept(referring: readonly ReferringField[], query: readonly Condition[]): Line[] {
  const kept = referring.filter(({ loose }) => loose !== undefined).slice(0, MAX_COUNTED)
  const counts = useQueries({
    queries: kept.map((each) => {
      const filter = referringToMatches(each, query)
      return { ...countOptions(each.entity, filter ?? []), enabled: filter !== null }
    }),
  })
  return kept.flatMap(({ entity, field }, index) => {
    const count = counts[index]?.data ?? 0
    const text = `${count === 1 ? 'keeps its' : 'keep their'} ${field}, which then refers to nothing`
    return count > 0 ? [{ entity, field, count, text, stops: false }] : []
  })
}

/** Null where the records can't be read, or are reached by several ways or by others. */
function hrefOf(
  { entity, field, count }: Line,
  referring: readonly ReferringField[],
  query: readonly Condition[],
): string | null {
  const ways = referring.filter(
    (each) =>
      each.entity === entity &&
      (field === undefined ? each.reference.onDelete === 'cascade' : each.field === field),
  )
  const filter = ways.length === 1 && ways[0] ? referringToMatches(ways[0], query) : null
  return filter && count !== null ? recordsHref(entity, filter) : null
}
