import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { type JsonObject, parseJson } from '@/lib/values/json'
import type { PreparedRow } from './prepared-row'
import { selectRecords } from './select-records'

/** The stored records of rows as they are shown, in the order of the rows; those that are gone are left out. */
export async function readRecords(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
): Promise<JsonObject[]> {
  return parseJson(await selectRecords(tx, entity, rows), { exactly: true }) as JsonObject[]
}

/** The fields of a record; those that it lacks are null. */
export const pick = (record: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map((name) => [name, record[name] ?? null]))
