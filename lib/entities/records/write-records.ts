import { sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import type { FileDetail, RecordCounts } from '@/lib/db/schema/plugins'
import type { Db } from '@/lib/db/types'
import {
  type Entity,
  EXTRA_COLUMN,
  type InsertDuplicate,
  type UpdateStrategy,
} from '@/lib/entities/definition'
import { assignKeys } from './assign-keys'
import { defaultsOf } from './compiled-entity'
import { type ConflictKind, explainConflicts, isRowConflict } from './conflicts'
import { distinctRows, inLockOrder } from './distinct-rows'
import { newExtraFieldsOf, rememberExtraFields } from './extra-fields'
import { encodeAll, jsonChunks, partialEncoder, presenceOf, wholeEncoder } from './json-chunks'
import type { PreparedRow } from './prepared-row'
import { insertStatement, type Signature, updateStatement } from './record-statements'

export type WriteOptions = {
  /** What becomes of a record whose key is stored, or was in an earlier record of the call. */
  onDuplicate: InsertDuplicate
  /** With `Upsert`: whether fields that a record lacks stay as they are, or are emptied. */
  updateStrategy: UpdateStrategy
  actorName: string
  now?: Date
}

export type WriteResult = {
  /** Of all rows; one that repeats the key of an earlier row counts as unchanged. */
  counts: RecordCounts
  /** Of the first conflict; null when there is none. */
  kind: ConflictKind | null
  /** The first 100. */
  conflicts: FileDetail[]
  conflictCount: number
  /** Undeclared names that the registry did not know; the caller tells the registry's caches. */
  newExtraFields: string[]
  /** The rows as they were taken, in order: with their keys, without repetitions. */
  rows: PreparedRow[]
}

/**
 * Writes rows in a few large statements, all or none: with a conflict nothing is written and every
 * conflicting row is told of. Only errors that no record is to blame for are thrown.
 */
export async function writeRecords(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  options: WriteOptions,
): Promise<WriteResult> {
  const { onDuplicate, updateStrategy } = options
  const keyed = await assignKeys(tx, entity, rows)
  const { rows: distinct, repeated } = distinctRows(entity, keyed, onDuplicate, updateStrategy)
  const explain = async (cause?: unknown): Promise<WriteResult> => {
    const affected = onDuplicate === 'Error' ? keyed : distinct
    const { kind, details, count } = await explainConflicts(
      tx,
      entity,
      affected,
      onDuplicate,
      cause,
    )
    const counts = { created: 0, updated: 0, unchanged: 0, failed: rows.length }
    return { counts, kind, conflicts: details, conflictCount: count, newExtraFields: [], rows: [] }
  }
  if (onDuplicate === 'Error' && repeated.size > 0) return explain()
  try {
    return await tx.transaction((inner) => write(inner, entity, distinct, repeated.size, options))
  } catch (error) {
    if (!isRowConflict(error)) throw error
    return explain(error)
  }
}

async function write(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  repeated: number,
  { onDuplicate, updateStrategy, actorName, now = new Date() }: WriteOptions,
): Promise<WriteResult> {
  const refers = entity.properties.some(({ rules }) => rules.reference)
  // Records of one call may refer to each other in any order.
  if (refers) await tx.execute(sql`set constraints all deferred`)
  const signature = { actorName, now }
  const ordered = inLockOrder(entity, rows)
  const counts =
    onDuplicate === 'Upsert'
      ? await upsert(tx, entity, ordered, updateStrategy, signature)
      : await insert(tx, entity, ordered, signature, onDuplicate === 'Ignore')
  const newExtraFields = newExtraFieldsOf(entity, rows)
  await rememberExtraFields(tx, entity, newExtraFields)
  if (refers) await tx.execute(sql`set constraints all immediate`)
  counts.unchanged += repeated
  return { counts, kind: null, conflicts: [], conflictCount: 0, newExtraFields, rows }
}

async function insert(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  signature: Signature,
  skipExisting: boolean,
): Promise<RecordCounts> {
  const { encode, columns } = wholeRows(entity, rows)
  let created = 0
  for (const { json } of jsonChunks(rows, encode))
    created += await affectedRows(
      tx,
      insertStatement(entity, json, columns, signature, skipExisting),
    )
  return { created, updated: 0, unchanged: rows.length - created, failed: 0 }
}

/** Inserts first, which waits for rivals, so that the update sees every record there is. */
async function upsert(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  strategy: UpdateStrategy,
  signature: Signature,
): Promise<RecordCounts> {
  const { encode, columns, presence } = wholeRows(entity, rows)
  const encodeChange = strategy === 'Replace' ? encode : partialEncoder(presence.some)
  const sameText =
    strategy === 'Replace' || (presence.some.length === 0 && defaultsOf(entity).size === 0)
  let [created, updated] = [0, 0]
  for (const chunk of jsonChunks(rows, encode)) {
    const inserted = await affectedRows(
      tx,
      insertStatement(entity, chunk.json, columns, signature, true),
    )
    created += inserted
    if (inserted === chunk.rows.length) continue
    const json = sameText ? chunk.json : encodeAll(chunk.rows, encodeChange)
    const update = updateStatement(entity, json, presence, strategy, signature)
    if (update) updated += await affectedRows(tx, update)
  }
  return { created, updated, unchanged: rows.length - created - updated, failed: 0 }
}

/** How rows are written when they are new: with defaults, and only the columns that occur. */
function wholeRows(entity: Entity, rows: PreparedRow[]) {
  const defaults = defaultsOf(entity)
  const presence = presenceOf(entity, rows)
  const columns = new Set([...presence.every, ...presence.some, ...defaults.keys()])
  if (presence.extra) columns.add(EXTRA_COLUMN)
  return { encode: wholeEncoder(defaults), columns: [...columns], presence }
}
