import { useMutation } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { announceDeletion } from '@/components/trash/announce-restoration'
import { refreshRecords } from '@/components/trash/trash-queries'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import type { LinkedEntity } from '@/lib/tables/column-contract'
import type { ExactJson } from '@/lib/values/exact-json'
import { deleteMatching, UNDO_DAYS } from './delete-matching'
import { columnsOptions, entityPath, refreshEntity } from './entity-queries'
import { keysOf } from './linked-chip'
import { referringTo } from './referring'
import type { ColumnDescription, EntityRecord } from './types'

/** A list of linked records of `record`; `columns` are those of the other side. */
export type Linking = {
  entity: string
  record: EntityRecord
  link: LinkedEntity
  columns: readonly ColumnDescription[]
}

/** Links a record by its key, or no longer links one: the record of the link is deleted, with all its fields, and can be restored. */
type Change = { add: string } | { remove: EntityRecord }

export function useLinking(linking: Linking) {
  return useMutation({
    mutationFn: (change: Change) =>
      'add' in change ? add(linking, change.add) : remove(linking, change.remove),
    onError: (error) => toast.error(messageOf(error)),
  })
}

async function add({ entity, record, link }: Linking, key: string): Promise<void> {
  const path = entityPath(entity, `/${encodeURIComponent(record.persistenceId)}`)
  await api(path, { method: 'PATCH', body: { [link.relation]: { add: [key] } } })
  await Promise.all([entity, link.link, link.entity].map(refreshEntity))
}

async function remove(linking: Linking, other: EntityRecord): Promise<void> {
  const { link } = linking.link
  const query = await linkBetween(linking, other)
  const { effected, batchId } = await deleteMatching(link, query, `expected=1&undo=${UNDO_DAYS}d`)
  announceDeletion(effected, link, batchId)
  await refreshRecords()
}

/** Matches the record of the link that leads from one to the other. */
async function linkBetween({ record, link }: Linking, other: EntityRecord): Promise<Condition[]> {
  const { data } = await getQueryClient().fetchQuery(columnsOptions(link.link))
  const sides = [
    [link.field, record],
    [link.to, other],
  ] as const
  return sides.flatMap(([field, side]) => {
    const reference = referenceOf(data, field)
    const query =
      reference && referringTo({ entity: link.link, field, label: null, reference }, side)
    if (!query) throw new Error(`Which record of ${link.link} links them can't be seen.`)
    return query
  })
}

const referenceOf = (columns: readonly ColumnDescription[], field: string) =>
  columns.find(({ name }) => name === field)?.rules.reference

/** By which records of the link refer to the other side; `between` are the fields of the link. */
export function fieldsReferredTo(
  between: readonly ColumnDescription[],
  { to }: LinkedEntity,
): string[] {
  const reference = referenceOf(between, to)
  return reference ? [reference.field, ...Object.values(reference.with ?? {})] : []
}

/** Of several fields it is an object of them. */
export function keyOf(record: EntityRecord, columns: readonly ColumnDescription[]): ExactJson {
  const keys = keysOf(columns)
  const [only = ''] = keys
  if (keys.length === 1) return record[only] ?? null
  return Object.fromEntries(keys.map((name) => [name, record[name] ?? null]))
}
