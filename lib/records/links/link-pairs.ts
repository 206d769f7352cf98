import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Validation } from '@/lib/errors'
import { prepareRecords } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { showable } from '@/lib/rows/record-faults'
import { readRecords } from '@/lib/rows/select-records'
import type { JsonObject } from '@/lib/values/json'
import { keyRecord } from '../key-record'
import { ownerValues, valuesBy } from '../owner-values'
import { judgeRows } from '../rule/judge'
import type { ReadableList } from './link-lists'
import { requireNone, type SentKey, type SentList } from './sent-links'

/** The fields by which a record of the link leads to both sides, and the key of the request that asks for it. */
export type LinkPair = { values: JsonObject; pointer: string }

/** What is asked of one list: `owners` are those whose set is replaced, by the fields of the link that lead to them. */
export type AskedPairs = { add: LinkPair[]; remove: LinkPair[]; owners: JsonObject[] }

/**
 * `rowOf`: the stored record that an entry is about, if any. Throws `invalid_input` that names each key without a record that
 * the writer may read.
 */
export async function askedPairs(
  tx: Db,
  entity: Entity,
  list: ReadableList,
  sent: readonly SentList[],
  rowOf: (index: number) => PreparedRow | undefined,
): Promise<AskedPairs> {
  const faults: Validation[] = []
  const entries = sent.flatMap((one) => {
    const row = rowOf(one.index)
    return row ? [{ ...one, row }] : []
  })
  const { pairs } = list.inverse
  const owners = await ownerValues(tx, entity, { pairs, from: list.link }, entries, faults)
  const keys = entries.flatMap(({ add, remove }) => [...add, ...remove])
  const far = await farValues(tx, list, keys, faults)
  const pairOf = (owner: JsonObject | undefined, key: SentKey): LinkPair[] => {
    const other = far.get(key)
    if (!owner || !other) return []
    const apart = Object.keys(other).find(
      (name) => name in owner && JSON.stringify(owner[name]) !== JSON.stringify(other[name]),
    )
    if (apart) faults.push({ field: key.pointer, error: `Has another "${apart}" than the record` })
    return [{ values: { ...owner, ...other }, pointer: key.pointer }]
  }
  const all = (of: 'add' | 'remove') =>
    entries.flatMap((entry, at) => entry[of].flatMap((key) => pairOf(owners[at], key)))
  const asked = { add: all('add'), remove: all('remove') }
  faults.push(...repeatedSets(owners, entries), ...contradictions(asked))
  requireNone(faults)
  return { ...asked, owners: owners.filter((_, at) => entries[at]?.set) }
}

const textOf = (values: JsonObject): string => JSON.stringify(values)

/** A set of a record that has another list of the same name in the request: which of them holds, none can say. */
function repeatedSets(owners: JsonObject[], entries: readonly SentList[]): Validation[] {
  const before = new Map<string, boolean>()
  return owners.flatMap((owner, at) => {
    const { set = false, pointer = '' } = entries[at] ?? {}
    const earlier = before.get(textOf(owner))
    before.set(textOf(owner), set || earlier === true)
    const isRepeated = earlier !== undefined && (set || earlier)
    return isRepeated ? [{ field: pointer, error: 'The record has this list already' }] : []
  })
}

/** Keys that are to be removed from a record to which they are added. */
function contradictions({ add, remove }: Pick<AskedPairs, 'add' | 'remove'>): Validation[] {
  const added = new Set(add.map(({ values }) => textOf(values)))
  return remove
    .filter(({ values }) => added.has(textOf(values)))
    .map(({ pointer }) => ({ field: pointer, error: 'Is added by the same request' }))
}

/** Of the records with these keys, those that the writer may read. */
async function farValues(
  tx: Db,
  { far, inverse }: ReadableList,
  keys: readonly SentKey[],
  faults: Validation[],
): Promise<Map<SentKey, JsonObject>> {
  const records = keys.map(({ key }) => keyRecord(far, key))
  const { rows } = await prepareRecords(far, records, 'update')
  const { rule } = inverse.target
  const conditions: SQL[] = [rule?.sql ?? sql`true`]
  const judged = await judgeRows(tx, far, rows, { joins: rule?.joins ?? [], conditions })
  const shown = rows.filter(({ index }) => judged.get(index)?.[0] === true)
  const stored = await readRecords(tx, far, shown)
  const found = new Map<SentKey, JsonObject>()
  for (const [at, { index }] of shown.entries()) {
    const [sent, record] = [keys[index], stored[at]]
    if (sent && record) found.set(sent, valuesBy(inverse.link.beyond, record))
  }
  for (const sent of keys)
    if (!found.has(sent)) {
      const error = `There is no ${far.name} ${JSON.stringify(showable(sent.key))}`
      faults.push({ field: sent.pointer, error })
    }
  return found
}
