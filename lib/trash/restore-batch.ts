import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { databaseError } from '@/lib/db/errors'
import { type TrashBatchRow, trashBatches, trashRecords } from '@/lib/db/schema'
import { affectedRows, type Db, tableSql } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { rowsThatMay } from '@/lib/records/rows-that-may'
import { type WriteRule, writeVerdict } from '@/lib/records/write-rule'
import { mayRead } from '@/lib/registry/may-read'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import { isRowConflict } from '@/lib/rows/conflicts'
import { passCounters } from '@/lib/rows/generated-keys'
import { columnList } from '@/lib/rows/record-columns'
import { pairsOf } from '@/lib/tables/reference-fields'
import type { RestoreConflict } from './contract'
import {
  type Limits,
  limitsOf,
  openFields,
  requireThere,
  requireWritable,
  writeRuleIn,
} from './limits'
import { findProblems, type Restoration } from './restore/find-problems'
import { prepareRestoration } from './restore/prepare-restoration'
import { restoredRows } from './restore/restored-rows'
import {
  batchesOf,
  clearProblems,
  getBatch,
  removeRestored,
  selectConflicts,
  toConflict,
} from './store'

export type RestoreBatch = { batchId: string; actor: Actor; requestId: string }

export type Restored = {
  restored: number
  /** At most 1,000; none for callers without the right to read the entity, since they show values. */
  conflicts: RestoreConflict[]
  conflictCount: number
}

/**
 * Restores the records of a batch, including keys and audit fields, and what its deletion did to others. Records that can't be restored
 * now stay in the trash. One transaction: of two concurrent calls, the second gets what is left. Throws
 * `not_found`, `forbidden` without the rights to delete and write, `conflict` when the entity is no longer installed.
 */
export async function restoreBatch(deps: Deps, options: RestoreBatch): Promise<Restored> {
  const limits = await limitsOf(deps, options.actor)
  return deps.db.transaction((tx) => restoreAll(tx, limits, options))
}

async function restoreAll(
  db: Db,
  limits: Limits,
  { batchId, actor, requestId }: RestoreBatch,
): Promise<Restored> {
  return db.transaction(async (tx) => {
    const root = await getBatch(tx, batchId, { lock: true })
    await requireThere(tx, limits, root)
    if (root.kind !== 'records') throw new Error('Plugins are restored by restorePlugin')
    const total: Restored = { restored: 0, conflicts: [], conflictCount: 0 }
    for (const batch of [root, ...(await batchesOf(tx, root))]) {
      const { restored, conflicts, conflictCount } = await restoreOne(tx, batch, limits)
      await recordAudit(tx, actor, {
        action: 'records.restore',
        objectType: batch.entity,
        details: { batchId: batch.id, restored, conflicts: conflictCount },
        requestId,
      })
      total.restored += batch.detached ? 0 : restored
      total.conflicts.push(...conflicts)
      total.conflictCount += conflictCount
    }
    return total
  })
}

async function restoreOne(tx: Db, batch: TrashBatchRow, limits: Limits): Promise<Restored> {
  const { actor } = limits
  if (batch.detached !== null) return reattach(tx, batch, batch.detached, limits)
  for (const action of ['delete', 'write'] as const)
    requireRight(actor, { entity: batch.entity, action })
  await requireWritable(tx, limits, batch)
  const restoration = await prepareRestoration(tx, batch)
  const restored = await restore(tx, restoration)
  await removeRestored(tx, batch, restored)
  const conflictCount = batch.recordCount - restored
  const isVisible = conflictCount > 0 && mayRead(actor, restoration.entity)
  const conflicts = isVisible ? await selectConflicts(tx, batch) : []
  const isOpen = openFields(limits, batch.entity)
  return { restored, conflicts: conflicts.map((one) => toConflict(one, isOpen)), conflictCount }
}

/** The number of retries: a key may be taken between the search for problems and its use. */
const MAX_ATTEMPTS = 4

/**
 * Usually there is no conflict, so this restores immediately where the database would detect one, and
 * searches for conflicts only if it does.
 */
async function restore(tx: Db, restoration: Restoration & { certain: boolean }): Promise<number> {
  await clearProblems(tx, restoration.batch.id)
  let cause: unknown
  for (let attempt = restoration.certain ? 0 : 1; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await findProblems(tx, restoration, { thorough: attempt > 1 })
    try {
      return await tx.transaction((inner) => insertRestored(inner, restoration))
    } catch (error) {
      if (!isRefusal(error)) throw error
      cause = error
    }
  }
  throw new AppError('unavailable', 'The records conflict with others being written; try again', {
    retryAfter: 1,
    cause,
  })
}

/** The values were refused, not the statement. */
const isRefusal = (error: unknown) =>
  isRowConflict(error) || databaseError(error)?.code.startsWith('22') === true

/** Writes the records without a known problem into the entity's table; returns their number. */
async function insertRestored(tx: Db, restoration: Restoration): Promise<number> {
  const { entity, batch, plan } = restoration
  // The table may have been made again since.
  const isRestored = (key: string) => plan.columns.some(({ name }) => name === key)
  await passCounters(tx, entity, sql`(${restoredRows(batch, plan)}) as n`, isRestored)
  const names = columnList(plan.columns.map(({ name }) => name))
  return affectedRows(
    tx,
    sql`insert into ${tableSql(entity.table)} (${names})
        select ${names} from (${restoredRows(batch, plan)}) as n`,
  )
}

/**
 * Gives records the references back that a deletion emptied, where these are still empty and their targets
 * have returned. Others have been changed since, and stay as they are. Throws `forbidden`.
 */
async function reattach(
  tx: Db,
  { id, entity: name, columns }: TrashBatchRow,
  field: string,
  limits: Limits,
): Promise<Restored> {
  requireRight(limits.actor, { entity: name, action: 'update' })
  const [found] = await entitiesNamed(tx, [name])
  const entity = found && mergeEntity(found.row, found.schema)
  const reference = entity?.properties.find((one) => one.name === field)?.rules.reference
  const [target] = reference ? await entitiesNamed(tx, [reference.entity]) : []
  let restored = 0
  if (entity && reference && target) {
    const types = columns.map((one) => sql`${sql.identifier(one.name)} ${sql.raw(one.sqlType)}`)
    const column = sql.identifier(field)
    const keys = entity.keys.map(
      (key) => sql`t.${sql.identifier(key)} = old.${sql.identifier(key)}`,
    )
    const { columns: own, fields } = pairsOf(field, reference)
    const matches = own.map((name, at) => {
      const value = sql`${sql.raw(name === field ? 'old' : 't')}.${sql.identifier(name)}`
      return sql`target.${sql.identifier(fields[at] ?? '')} = ${value}`
    })
    const rule = writeRuleIn(limits, name, 'update')
    const may = rule ? mayChange(rule, field) : sql`true`
    const to = tableSql({ schema: target.row.tableSchema, name: target.row.tableName })
    restored = await affectedRows(
      tx,
      sql`update ${tableSql(entity.table)} as t set ${column} = old.${column}
          from (select kept.* from ${trashRecords} as r
            cross join lateral jsonb_to_record(r.data) as kept(${sql.join(types, sql`, `)})
            where r.batch_id = ${id}::uuid) as old
          where ${sql.join(keys, sql` and `)} and t.${column} is null and ${may}
            and exists (select from ${to} as target where ${sql.join(matches, sql` and `)})`,
    )
  }
  await tx.delete(trashRecords).where(eq(trashRecords.batchId, id))
  await tx.delete(trashBatches).where(eq(trashBatches.id, id))
  return { restored, conflicts: [], conflictCount: 0 }
}

/** The records of the table `t` that policies let the caller change in this field. */
function mayChange(rule: WriteRule, field: string): SQL {
  const { entity } = rule
  if (writeVerdict(rule, field) !== true) return sql`false`
  const keys = columnList(entity.keys)
  const own = entity.keys.map((key) => sql`t.${sql.identifier(key)}`)
  return sql`(${sql.join(own, sql`, `)}) in (select ${keys} from ${tableSql(entity.table)} where ${rowsThatMay(rule).where})`
}

/**
 * Restores some records of a batch, by their ids in the trash: they become a batch of their own, which is restored in
 * the same transaction. What the deletion took along stays with the others. Throws as `restoreBatch` does.
 */
export async function restoreChosen(
  deps: Deps,
  { records, ...options }: RestoreBatch & { records: readonly number[] },
): Promise<Restored> {
  const limits = await limitsOf(deps, options.actor)
  return deps.db.transaction(async (tx) => {
    const batch = await getBatch(tx, options.batchId, { lock: true })
    if (batch.kind !== 'records' || batch.detached !== null)
      throw new AppError('invalid_input', 'Only deleted records can be restored one by one')
    await requireThere(tx, limits, batch)
    const id = crypto.randomUUID()
    const chosen = and(eq(trashRecords.batchId, batch.id), inArray(trashRecords.id, [...records]))
    const count = await affectedRows(
      tx,
      sql`update ${trashRecords} set batch_id = ${id}::uuid where ${chosen}`,
    )
    if (count === 0) throw new AppError('not_found', 'None of these records is in this batch')
    if (count === batch.recordCount) {
      await tx.update(trashRecords).set({ batchId: batch.id }).where(eq(trashRecords.batchId, id))
      return restoreAll(tx, limits, options)
    }
    await tx.insert(trashBatches).values({ ...batch, id, recordCount: count })
    await tx
      .update(trashBatches)
      .set({ recordCount: batch.recordCount - count })
      .where(eq(trashBatches.id, batch.id))
    return restoreAll(tx, limits, { ...options, batchId: id })
  })
}
