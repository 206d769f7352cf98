import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import { affectedRows, type Db } from '@/lib/db/sql'
import {
  type Entity,
  EXTRA_COLUMN,
  type InsertDuplicate,
  type UpdateStrategy,
} from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import { defaultsOf, replacingDefaults } from './compiled-entity'
import { explainConflicts, type IsNamed, isRowConflict } from './conflicts'
import { distinctRows, inLockOrder } from './distinct-rows'
import { newExtraFieldsOf, rememberExtraFields } from './extra-fields'
import { assignKeys } from './generated-keys'
import {
  encodeAll,
  jsonChunks,
  type PreparedRow,
  partialEncoder,
  presenceOf,
  wholeEncoder,
} from './prepared-row'
import type { ConflictKind, RecordFaults } from './record-faults'
import { insertStatement, type Merge, type Signature, updateStatement } from './record-statements'
import { takeTurn } from './select-records'

export type WriteOptions = {
  /** What happens to a record whose key is stored, or was in an earlier record of the call. */
  onDuplicate: InsertDuplicate
  /** With `Upsert`: whether fields that a record lacks are kept or emptied. */
  updateStrategy: UpdateStrategy
  actorName: string
  now?: Date
  /**
   * Further records follow in the transaction, which these may refer to: the caller checks references in the end,
   * by `set constraints all immediate`.
   */
  isPart?: boolean
  /** As in `Merge`. */
  isText?: boolean
  /** Whether conflicts may name a field; all of them if left out. */
  isNamed?: IsNamed
}

export type WriteResult = {
  /** Of all rows; one that repeats the key of an earlier row counts as unchanged. */
  counts: RecordCounts
  /** Of the first conflict; null when there is none. */
  kind: ConflictKind | null
  /** The first 100. */
  conflicts: FileDetail[]
  conflictCount: number
  /** All of them, by rule; absent when there is none. */
  faults?: RecordFaults
  /** Undeclared names that are new to the registry; the caller invalidates the registry's caches. */
  newExtraFields: string[]
  /** The written rows, in order: with their keys, without repetitions. */
  rows: PreparedRow[]
}

/** When a generated number was given by another call meanwhile, further ones are generated. */
const MAX_ATTEMPTS = 3

/**
 * Writes rows in a few large statements, all or none: with a conflict nothing is written and every
 * conflicting row is reported. Only errors that are not caused by a record are thrown.
 */
export async function writeRecords(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  options: WriteOptions,
  attempts = MAX_ATTEMPTS,
): Promise<WriteResult> {
  const { onDuplicate, updateStrategy, isNamed } = options
  if (rows.length === 0) return NOTHING_WRITTEN
  const keyed = await assignKeys(tx, entity, rows)
  const { rows: distinct, repeated } = await distinctRows(
    entity,
    keyed,
    onDuplicate,
    updateStrategy,
  )
  const explain = async (cause?: unknown): Promise<WriteResult> => {
    const affected = onDuplicate === 'Error' ? keyed : distinct
    const { kind, ...faults } = await explainConflicts(tx, entity, affected, onDuplicate, cause, {
      isNamed,
    })
    const counts = { created: 0, updated: 0, unchanged: 0, failed: rows.length }
    const conflicts = await withoutMadeKeys(entity, rows, faults.details)
    const none = { newExtraFields: [], rows: [] }
    return { counts, kind, conflicts, conflictCount: faults.count, faults, ...none }
  }
  if (onDuplicate === 'Error' && repeated.size > 0) return explain()
  try {
    return await tx.transaction((inner) => write(inner, entity, distinct, repeated.size, options))
  } catch (error) {
    if (!isRowConflict(error)) throw error
    const result = await explain(error)
    if (attempts <= 1 || !(await isOfMadeKey(entity, rows, result))) return result
    return writeRecords(tx, entity, rows, options, attempts - 1)
  }
}

const NOTHING_WRITTEN: WriteResult = {
  counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
  ...{ kind: null, conflicts: [], conflictCount: 0, newExtraFields: [], rows: [] },
}

/** Whether a generated key was taken: another call gave the same number before this one was written. */
const isOfMadeKey = async (
  entity: Entity,
  rows: PreparedRow[],
  { kind, conflicts }: WriteResult,
): Promise<boolean> =>
  kind === 'duplicate' && (await reportedWithoutKey(entity, rows, conflicts)).size > 0

/** A key generated for a record that is then not written identifies nothing. */
async function withoutMadeKeys(
  entity: Entity,
  rows: PreparedRow[],
  details: FileDetail[],
): Promise<FileDetail[]> {
  const lacking = await reportedWithoutKey(entity, rows, details)
  return details.map(({ key, ...detail }) =>
    lacking.has(detail.index) ? detail : { ...detail, key },
  )
}

/** The positions of the rows in `details` that were given without their whole key. */
async function reportedWithoutKey(
  { keys }: Entity,
  rows: PreparedRow[],
  details: FileDetail[],
): Promise<Set<number | undefined>> {
  const reported = new Set(details.map(({ index }) => index))
  const lacking = new Set<number | undefined>()
  await forEachInTurns(rows, (row) => {
    if (!reported.has(row.index)) return
    const { values } = row
    if (keys.some((key) => (values[key] ?? null) === null)) lacking.add(row.index)
  })
  return lacking
}

async function write(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  repeated: number,
  {
    onDuplicate,
    updateStrategy,
    actorName,
    now = new Date(),
    isPart = false,
    isText,
  }: WriteOptions,
): Promise<WriteResult> {
  const refers = entity.properties.some(({ rules }) => rules.reference)
  // Records of one call may refer to each other in any order.
  if (refers) await tx.execute(sql`set constraints all deferred`)
  if (rows.length > 1) await takeTurn(tx, entity)
  const signature = { actorName, now }
  const ordered = await inLockOrder(entity, rows)
  const counts =
    onDuplicate === 'Upsert'
      ? await upsertRows(tx, entity, ordered, updateStrategy, { ...signature, isText })
      : await insertRows(tx, entity, ordered, signature, onDuplicate === 'Ignore')
  const newExtraFields = await newExtraFieldsOf(entity, rows)
  await rememberExtraFields(tx, entity, newExtraFields)
  if (refers && !isPart) await tx.execute(sql`set constraints all immediate`)
  counts.unchanged += repeated
  return { counts, kind: null, conflicts: [], conflictCount: 0, newExtraFields, rows }
}

/** Inserts rows in chunks; `skipExisting` leaves stored keys unchanged. */
async function insertRows(
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
async function upsertRows(
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
