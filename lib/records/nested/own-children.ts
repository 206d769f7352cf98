import { sql } from 'drizzle-orm'
import { type Db, rows as rowsOf } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Inverse } from '@/lib/registry/target'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { INDEX_COLUMN, incoming, recordset } from '@/lib/rows/record-columns'
import { showable } from '@/lib/rows/record-faults'
import { lockRecords, POSITION } from '@/lib/rows/select-records'
import { type Json, type JsonObject, stringifyExactly } from '@/lib/values/json'
import { isSame, keyName, shownRows } from '../shown-rows'
import { otherFields } from './other-fields'

/**
 * The rows of children that are stored, that the writer may read, and that refer to the records whose values `ownerOf` returns. They
 * are locked.
 */
export async function ownChildren(
  tx: Db,
  entity: Entity,
  { target, pairs }: Inverse,
  rows: PreparedRow[],
  ownerOf: (index: number) => JsonObject,
): Promise<PreparedRow[]> {
  const named = rows.filter(
    ({ index, values }) => otherFields(entity, values, ownerOf(index)).length === 0,
  )
  if (named.length === 0) return []
  await lockRecords(tx, entity, named)
  const fields = pairs.map(({ field }) => field.name)
  const names = [...new Set([...entity.keys, ...fields])]
  const sent = named.map(({ index, values }) => {
    const key = entity.keys.map((name) => [name, values[name] ?? null])
    return { ...Object.fromEntries(key), ...ownerOf(index), [INDEX_COLUMN]: index }
  })
  const relation = recordset(entity, stringifyExactly(sent), [INDEX_COLUMN, ...names])
  const keys = entity.keys.map((name, at) => sql`v.${keyName(at)} = ${incoming(name)}`)
  const found = await rowsOf<{ index: number }>(
    tx,
    sql`select n.${POSITION} as index from ${relation}
      join (${shownRows(entity, target, fields)}) as v
        on ${sql.join([...keys, isSame(fields)], sql` and `)}`,
  )
  const own = new Set(found.map(({ index }) => index))
  return named.filter(({ index }) => own.has(index))
}

/** What is wrong with a key that no child has which the writer may read: it does not tell whether another record has it. */
export const noChild = ({ name }: Entity, key: Json): string =>
  `The record has no ${name} ${JSON.stringify(showable(key))}`
