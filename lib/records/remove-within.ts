import { type SQL, sql } from 'drizzle-orm'
import { around } from '@/lib/around'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { refuseReferencedAmong } from './blockers'
import { anyEffects, type Removed, removeRecords } from './delete-linked'
import { countOf } from './removed-keys'
import { requireAllowed } from './require-allowed'
import { rowsThatMay } from './rows-that-may'
import { notCovered } from './rule/refusals'
import { writeRuleAmong } from './write-rule'

export type Removing = Pick<Deps, 'layers'> & {
  actor: Actor
  requestId: string
  entities: readonly Entity[]
}

/**
 * Deletes the records that match, if any, in a transaction that is to be rolled back on errors, and records that in the audit log.
 * Throws `forbidden` without the right to delete all of them, `conflict` while other records refer to one of them.
 */
export async function removeWithin(
  tx: Db,
  removing: Removing,
  entity: Entity,
  where: SQL,
): Promise<void> {
  const { actor, requestId } = removing
  const count = await countOf(tx, sql`${tableSql(entity.table)} where ${where}`)
  if (count === 0) return
  requireAllowed(actor, entity, 'delete')
  await requireCovered(tx, removing, entity, where, count)
  const removed = await removeThose(tx, removing, entity, where)
  const details = { count: removed.count, ...anyEffects(removed) }
  await recordAudit(tx, actor, {
    ...{ action: 'records.delete', objectType: entity.name, details, requestId },
  })
}

/** Throws `forbidden` where policies do not allow the deletion of all `count` records that match. */
async function requireCovered(
  tx: Db,
  { actor, entities }: Removing,
  entity: Entity,
  where: SQL,
  count: number,
): Promise<void> {
  const rule = writeRuleAmong(actor, entity, 'delete', entities)
  if (!rule) return
  const allowed = sql`${tableSql(entity.table)} where ${where} and ${rowsThatMay(rule).where}`
  if ((await countOf(tx, allowed)) < count) throw notCovered(rule)
}

async function removeThose(
  tx: Db,
  { layers, actor, entities }: Removing,
  entity: Entity,
  where: SQL,
): Promise<Removed> {
  const deletion = { entity, where, actor }
  try {
    return await tx.transaction((inner) =>
      around({ db: inner, layers }, 'removeRecords', { ...deletion, undo: undefined }, (used) =>
        removeRecords(used.db, entity, where, actor),
      ),
    )
  } catch (error) {
    return refuseReferencedAmong(tx, { ...deletion, entities }, error)
  }
}
