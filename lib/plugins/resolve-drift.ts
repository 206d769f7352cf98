import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, can, type RecordAction } from '@/lib/auth/rights'
import { textArray } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import { plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Effect } from '@/lib/records/contract'
import { anyEffects, moveToTrash } from '@/lib/records/move-to-trash'
import { requireRead } from '@/lib/registry/may-read'
import { findEntity } from '@/lib/registry/registry'
import { isRecordError } from '@/lib/rows/load-records'
import type { Drift, ResolveDrift } from './drift-contract'
import { adoptRecords } from './lifecycle/adopt-records'
import { driftSql } from './lifecycle/drift-sql'
import { keySql } from './lifecycle/record-sql'
import { restoreDeleted, restoreEdited } from './lifecycle/restore-base'
import { hasKey, stageRecords, writeStaged } from './lifecycle/stage-records'
import { entitiesOf } from './list-drift'
import { getPlugin } from './store'

type Resolved = { resolved: number; effects: Effect[] }
type Request = ResolveDrift & { id: string; actor: Actor; requestId: string }
type Change = Drift['change']

/** The right that taking the plugin's record back needs. */
const NEEDED: Record<Change, RecordAction> = { edited: 'update', deleted: 'write', added: 'delete' }
const TRASH_DAYS = 30

/**
 * Ends the differences between chosen records and what a plugin gave, one way or the other; records
 * that do not differ are skipped. Returns how many did, and what became of records that refer to those that
 * went to the trash, by their `onDelete`. Throws `forbidden` without the rights to all of these, and `conflict` when the
 * plugin's values can't be stored any more or records refer to those that would go; then nothing is done.
 */
export async function resolveDrift(deps: Deps, request: Request): Promise<Resolved> {
  const { id, actor, entity: name, action } = request
  await getPlugin(deps.db, id)
  const entity = await findEntity(deps, name)
  requireRead(actor, entity, 'A change of what differs')
  if (!(await entitiesOf(deps, id)).some((one) => one.name === name))
    throw new AppError('not_found', `The plugin "${id}" gave no records of "${name}"`)
  try {
    return await deps.db.transaction((tx) => resolve(tx, entity, request))
  } catch (error) {
    if (!isRecordError(error)) throw error
    const message = `The records can't become as the plugin gave them: other records take their values, refer to them or are missing, or the definition has changed. Nothing was changed`
    throw new AppError('conflict', action === 'revert' ? message : String(error), { cause: error })
  }
}

async function resolve(tx: Db, entity: Entity, request: Request): Promise<Resolved> {
  const { id, keys, action, actor, requestId } = request
  await tx.execute(sql`set constraints all deferred`)
  const found = await rows<{ key: string; change: Change }>(
    tx,
    driftSql(entity, id, undefined, keys),
  )
  const effects: Effect[] = []
  for (const change of ['deleted', 'edited', 'added'] as const) {
    const chosen = found.flatMap((one) => (one.change === change ? [one.key] : []))
    if (chosen.length === 0) continue
    if (action === 'adopt') await adoptRecords(tx, entity, id, change, chosen)
    else effects.push(...(await revert(tx, entity, request, change, chosen)))
  }
  await tx.execute(sql`set constraints all immediate`)
  if (found.length === 0) return { resolved: 0, effects }
  // What counts as given decides what the next version does, so plans made before don't hold.
  await tx.update(plugins).set({ updatedAt: new Date() }).where(eq(plugins.id, id))
  await recordAudit(tx, actor, {
    action: `plugins.${action}`,
    objectType: 'plugin',
    objectId: id,
    details: { entity: entity.name, records: found.length, ...anyEffects({ effects }) },
    requestId,
  })
  return { resolved: found.length, effects }
}

async function revert(
  tx: Db,
  entity: Entity,
  { id, actor }: Request,
  change: Change,
  keys: readonly string[],
): Promise<Effect[]> {
  const action = NEEDED[change]
  if (!entity.definition.permissions[action] || !can(actor, { entity: entity.name, action }))
    throw new AppError(
      'forbidden',
      `To take back records that were ${change} needs the right "${entity.name}:${action}"`,
    )
  const signature = { actorName: actor.name, now: new Date() }
  const chosen = { pluginId: id, keys }
  const isChosen = sql`${keySql(entity, 't')} = any(${textArray(keys)})`
  if (change === 'edited') {
    const staged = await stageRecords(tx, entity, isChosen)
    await tx.execute(restoreEdited(staged, chosen, signature))
    await writeStaged(tx, entity, staged)
  }
  if (change === 'deleted') await tx.execute(restoreDeleted(entity, chosen, signature))
  if (change !== 'added') return []
  const staged = await stageRecords(tx, entity, isChosen)
  const where = hasKey(entity, staged, sql`select key from unnest(${textArray(keys)}) as key`)
  const trash = { days: TRASH_DAYS, deletedBy: actor.name }
  return (await moveToTrash(tx, entity, where, { ...trash, actor })).effects
}
