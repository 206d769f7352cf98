import { eq, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, can, type RecordAction } from '@/lib/auth/rights'
import { pluginRecords, plugins } from '@/lib/db/schema'
import { type Db, rows, tableSql, textArray } from '@/lib/db/sql'
import {
  AUDIT_FIELDS,
  type Entity,
  EXTRA_COLUMN,
  type Property,
} from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { getPlugin } from '@/lib/installs/store'
import type { Effect } from '@/lib/records/contract'
import { anyEffects } from '@/lib/records/delete-linked'
import { requireReadAll } from '@/lib/registry/may-read'
import { findEntity } from '@/lib/registry/registry'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import { isRecordError } from '@/lib/rows/load-records'
import { columnList, incoming, sameKey, singleRecord, stored } from '@/lib/rows/record-columns'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Signature } from '@/lib/rows/record-statements'
import { moveToTrash } from '@/lib/trash/move-to-trash'
import { driftSql } from './base/drift-sql'
import { imageSql, keySql } from './base/record-sql'
import { hasKey, stageRecords, writeStaged } from './base/stage-records'
import type { Drift, ResolveDrift } from './contract'
import { entitiesOf } from './list-drift'

const REFUSED: Record<ResolveDrift['action'], string> = {
  revert:
    "The records can't become as the plugin gave them: other records take their values, refer to them or are missing, or the definition has changed. Nothing was changed",
  adopt:
    "The records can't count as given by the plugin: the definition has changed. Nothing was changed",
}

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
  requireReadAll(actor, entity, 'A change of what differs')
  if (!(await entitiesOf(deps, id)).some((one) => one.name === name))
    throw new AppError('not_found', `The plugin "${id}" gave no records of "${name}"`)
  try {
    return await deps.db.transaction((tx) => resolve(tx, entity, request))
  } catch (error) {
    if (!isRecordError(error)) throw error
    throw new AppError('conflict', REFUSED[action], { cause: error })
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

type Keys = readonly string[]

/** Makes what is stored count as given by the plugin. */
async function adoptRecords(
  tx: Db,
  entity: Entity,
  pluginId: string,
  change: Drift['change'],
  keys: Keys,
): Promise<void> {
  const own = sql`p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text`
  const chosen = textArray(keys)
  const hasKey = sql`${keySql(entity, 't')} = any(${chosen})`
  const { table } = await stageRecords(tx, entity, hasKey)
  const record = sql`${tableSql(table)} as t`
  const image = imageSql(entity, 't')
  if (change === 'deleted')
    await tx.execute(sql`delete from ${pluginRecords} as p where ${own} and p.key = any(${chosen})`)
  if (change === 'edited')
    await tx.execute(sql`update ${pluginRecords} as p set base = case when p.created_by is null
        then (select jsonb_object_agg(k, coalesce(${image} -> k, 'null')) from jsonb_object_keys(p.base) as k)
        else ${image} end
      from ${record} where ${own} and p.key = any(${chosen}) and ${keySql(entity, 't')} = p.key`)
  if (change === 'added')
    await tx.execute(sql`insert into ${pluginRecords} (plugin_id, entity, key, path, base)
      select ${pluginId}::text, ${entity.name}::text, ${keySql(entity, 't')},
        (select max(p.path) from ${pluginRecords} as p where ${own}), ${image}
      from ${record} where ${hasKey} on conflict do nothing`)
}

type Chosen = { pluginId: string; keys: readonly string[] }

/** `p`: what the plugin gave of the chosen records; `n`: the same in the types of the columns. */
function baseRows(entity: Entity, { pluginId, keys }: Chosen): SQL {
  const names = checkedProperties(entity).map(({ name }) => name)
  return sql`${pluginRecords} as p cross join lateral ${singleRecord(entity, sql`p.base::text`, names)}
    where p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text and p.key = any(${textArray(keys)})
      and p.base is not null`
}

/** Fields that the plugin did not give are as in a new record. */
function absent(entity: Entity, { name }: Property): SQL {
  const value = defaultsOf(entity).get(name)
  if (value === undefined || typeof value === 'function') return sql`null`
  return sql`(jsonb_populate_record(null::${tableSql(entity.table)}, ${JSON.stringify({ [name]: value })}::text::jsonb)).${sql.identifier(name)}`
}

const undeclared = (entity: Entity): SQL =>
  sql`(p.base - ${textArray(checkedProperties(entity).map(({ name }) => name))})`

/** Gives stored records the fields that the plugin gave them; others stay in records that were there before. */
function restoreEdited(entity: Entity, chosen: Chosen, { actorName, now }: Signature): SQL {
  const settable = checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))
  const assignments = settable.map((property) => {
    const { name } = property
    const other = sql`case when p.created_by is null then ${stored(name)} else ${absent(entity, property)} end`
    return sql`${sql.identifier(name)} = case when p.base ? ${name}::text then ${incoming(name)} else ${other} end`
  })
  const extra = sql.identifier(EXTRA_COLUMN)
  const own = sql`case when p.created_by is null then coalesce(${stored(EXTRA_COLUMN)}, '{}') else '{}' end`
  assignments.push(sql`${extra} = nullif(${own} || ${undeclared(entity)}, '{}')`)
  if (entity.definition.auditable)
    assignments.push(
      sql`"LastUpdatedAt" = ${now.toISOString()}::timestamptz`,
      sql`"LastUpdatedBy" = ${actorName}::text`,
    )
  return sql`update ${tableSql(entity.table)} as t set ${sql.join(assignments, sql`, `)}
    from ${baseRows(entity, chosen)} and ${sameKey(entity)}`
}

/** Creates deleted records as the plugin gave them. */
function restoreDeleted(entity: Entity, chosen: Chosen, { actorName, now }: Signature): SQL {
  const settable = checkedProperties(entity)
  const values = settable.map((property) => {
    const { name } = property
    return sql`case when p.base ? ${name}::text then ${incoming(name)} else ${absent(entity, property)} end`
  })
  const at = sql`${now.toISOString()}::timestamptz`
  const by = sql`${actorName}::text`
  const audit = entity.definition.auditable ? [at, by, at, by] : []
  const names = [...settable.map(({ name }) => name), EXTRA_COLUMN]
  if (entity.definition.auditable) names.push(...AUDIT_FIELDS)
  const all = [...values, sql`nullif(${undeclared(entity)}, '{}')`, ...audit]
  return sql`insert into ${tableSql(entity.table)} (${columnList(names)})
    select ${sql.join(all, sql`, `)} from ${baseRows(entity, chosen)} on conflict (${columnList(entity.keys)}) do nothing`
}
