import { affectedRows } from '@/lib/db/affected-rows'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import type { Db } from '@/lib/db/types'
import { type Entity, EXTRA_COLUMN, type UpdateStrategy } from '@/lib/definitions/definition'
import { defaultsOf, replacingDefaults } from './compiled-entity'
import { encodeAll, jsonChunks, partialEncoder, presenceOf, wholeEncoder } from './json-chunks'
import type { PreparedRow } from './prepared-row'
import { insertStatement, type Merge, type Signature, updateStatement } from './record-statements'

/** Inserts rows in chunks; `skipExisting` leaves stored keys unchanged. */
export async function insertRows(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  signature: Signature,
  skipExisting: boolean,
): Promise<RecordCounts> {
  const { encode, columns } = await wholeRows(entity, rows)
  let created = 0
  for (const { json } of jsonChunks(rows, encode))
    created += await affectedRows(
      tx,
      insertStatement(entity, json, columns, signature, skipExisting),
    )
  return { created, updated: 0, unchanged: rows.length - created, failed: 0 }
}

/** Inserts first, which waits for concurrent inserts, so that the update sees every stored record. */
export async function upsertRows(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  strategy: UpdateStrategy,
  how: Signature & Merge,
): Promise<RecordCounts> {
  const { encode, columns, presence } = await wholeRows(entity, rows)
  const changing = replacingDefaults(entity)
  const isReplaced = strategy === 'Replace'
  const encodeChange = isReplaced ? wholeEncoder(changing) : partialEncoder(presence.some)
  const defaults = defaultsOf(entity).size
  const sameText = isReplaced
    ? changing.size === defaults
    : presence.some.length === 0 && defaults === 0
  let [created, updated] = [0, 0]
  for (const chunk of jsonChunks(rows, encode)) {
    const inserted = await affectedRows(tx, insertStatement(entity, chunk.json, columns, how, true))
    created += inserted
    if (inserted === chunk.rows.length) continue
    const json = sameText ? chunk.json : encodeAll(chunk.rows, encodeChange)
    const update = updateStatement(entity, json, presence, strategy, how)
    if (update) updated += await affectedRows(tx, update)
  }
  return { created, updated, unchanged: rows.length - created - updated, failed: 0 }
}

/** How new rows are written: with defaults, and only the columns that occur. */
async function wholeRows(entity: Entity, rows: PreparedRow[]) {
  const defaults = defaultsOf(entity)
  const presence = await presenceOf(entity, rows)
  const columns = new Set([...presence.every, ...presence.some, ...defaults.keys()])
  if (presence.extra) columns.add(EXTRA_COLUMN)
  return { encode: wholeEncoder(defaults), columns: [...columns], presence }
}
