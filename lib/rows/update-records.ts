import { sql } from 'drizzle-orm'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import { affectedRows, type Db } from '@/lib/db/sql'
import type { Entity, UpdateStrategy } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { replacingDefaults } from './compiled-entity'
import { explainConflicts, type IsNamed, isRowConflict } from './conflicts'
import { distinctRows } from './distinct-rows'
import { newExtraFieldsOf, rememberExtraFields } from './extra-fields'
import {
  jsonChunks,
  type PreparedRow,
  partialEncoder,
  presenceOf,
  wholeEncoder,
} from './prepared-row'
import type { Conflicts } from './record-faults'
import { type Merge, type Signature, updateStatement } from './record-statements'
import { lockRecords, takeTurn } from './select-records'

export type UpdateResult = {
  counts: RecordCounts
  conflicts: Conflicts | null
  /** Rows whose key is not stored; when there are any, nothing is changed. */
  missing: PreparedRow[]
  newExtraFields: string[]
  /** The applied rows: one for each key. */
  rows: PreparedRow[]
}

export type UpdateOptions = Signature &
  Merge & {
    strategy: UpdateStrategy
    /** As for `writeRecords`. */
    isPart?: boolean
    /** How messages name a row; by its index if left out. */
    nameOf?: (index: number) => string
    /** Whether conflicts may name a field; all of them if left out. */
    isNamed?: IsNamed
  }

/**
 * Changes stored records by key, all or none. `Upsert` changes the given fields, `Replace`
 * also empties the others. Rows with the same key are applied in order.
 */
export async function updateRecords(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  options: UpdateOptions,
): Promise<UpdateResult> {
  const { rows: distinct, repeated } = await distinctRows(entity, rows, 'Upsert', options.strategy)
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const result = { counts, conflicts: null, missing: [], newExtraFields: [], rows: distinct }
  if (rows.length === 0) return result
  if (distinct.length > 1) await takeTurn(tx, entity)
  const missing = await lockRecords(tx, entity, distinct)
  if (missing.length > 0) return { ...result, missing }
  try {
    return await tx.transaction(async (inner) => {
      const updated = await update(inner, entity, distinct, options)
      if (entity.isDistributed) await requireStored(inner, entity, distinct)
      const newExtraFields = await newExtraFieldsOf(entity, distinct)
      await rememberExtraFields(inner, entity, newExtraFields)
      const unchanged = distinct.length - updated + repeated.size
      return { ...result, newExtraFields, counts: { ...counts, updated, unchanged } }
    })
  } catch (error) {
    if (!isRowConflict(error)) throw error
    const { nameOf = String, isNamed } = options
    const told = { nameOf, isNamed }
    const conflicts = await explainConflicts(tx, entity, distinct, 'Update', error, told)
    return { ...result, conflicts }
  }
}

/** Throws `unavailable` when others have deleted one of the records since they were found. */
async function requireStored(tx: Db, entity: Entity, rows: PreparedRow[]): Promise<void> {
  if ((await lockRecords(tx, entity, rows)).length === 0) return
  throw new AppError('unavailable', 'Some of the records were deleted meanwhile; try again', {
    retryAfter: 1,
  })
}

async function update(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  { strategy, isPart = false, nameOf: _, isNamed: __, ...how }: UpdateOptions,
): Promise<number> {
  const presence = await presenceOf(entity, rows)
  const encode =
    strategy === 'Replace' ? wholeEncoder(replacingDefaults(entity)) : partialEncoder(presence.some)
  await tx.execute(sql`set constraints all deferred`)
  let updated = 0
  for (const { json } of jsonChunks(rows, encode)) {
    const statement = updateStatement(entity, json, presence, strategy, how)
    if (statement) updated += await affectedRows(tx, statement)
  }
  if (!isPart) await tx.execute(sql`set constraints all immediate`)
  return updated
}
