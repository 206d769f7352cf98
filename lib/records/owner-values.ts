import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError, type Validation } from '@/lib/errors'
import { keyReader, type PreparedRow } from '@/lib/rows/prepared-row'
import { readRecords } from '@/lib/rows/select-records'
import type { JsonObject } from '@/lib/values/json'

/** A field of a record, and that of others by which they refer to it. */
export type OwnerPair = { own: { name: string }; field: { name: string } }

type Referring = { pairs: readonly OwnerPair[]; from: Entity }

/** The values of a record by the fields of others that have them. */
export const valuesBy = (pairs: readonly OwnerPair[], record: JsonObject): JsonObject =>
  Object.fromEntries(pairs.map(({ own, field }) => [field.name, record[own.name] ?? null]))

/**
 * What records of `from` have in their fields that refer to each of these stored records, in the order of the entries. Adds a fault
 * for a record that none can refer to. Throws `conflict` when one of the records is not stored any more.
 */
export async function ownerValues(
  tx: Db,
  entity: Entity,
  { pairs, from }: Referring,
  entries: readonly { row: PreparedRow; pointer: string }[],
  faults: Validation[],
): Promise<JsonObject[]> {
  const rows = entries.map(({ row }, index) => ({ index, values: row.values, extra: null }))
  const records = await readRecords(tx, entity, rows)
  if (records.length < rows.length) throw deletedMeanwhile(entity)
  return records.map((record, at) => {
    const values = valuesBy(pairs, record)
    const empty = pairs.find(({ field }) => values[field.name] === null)
    const error = `The record has no "${empty?.own.name}", by which ${from.name} refers to it`
    if (empty) faults.push({ field: entries[at]?.pointer ?? '', error })
    return values
  })
}

const deletedMeanwhile = ({ name }: Entity) =>
  new AppError(
    'conflict',
    `The request deletes a record of "${name}" that it writes as well; nothing was written`,
  )

/** Returns a function that finds the stored record that `index` of a request is about: rows with the same key are written once. */
export function rowFinder(
  entity: Entity,
  sent: readonly PreparedRow[],
  written: readonly PreparedRow[],
): (index: number) => PreparedRow | undefined {
  const readKey = keyReader(entity)
  const byIndex = new Map(written.map((row) => [row.index, row]))
  const byKey = new Map(written.map((row) => [readKey(row), row]))
  const keys = new Map(sent.map((row) => [row.index, readKey(row)]))
  return (index) => byIndex.get(index) ?? byKey.get(keys.get(index) ?? null)
}
