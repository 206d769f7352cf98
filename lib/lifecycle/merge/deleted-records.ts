import { type SQL, sql } from 'drizzle-orm'
import { readAndRelease } from '@/lib/db/read-and-release'
import { pluginChanges, pluginRecords, type RecordConflict } from '@/lib/db/schema'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { decisionOf } from '@/lib/installs/decisions'
import { keySql, type Origin, rememberedSql } from '../base/record-sql'
import type { Compared } from './compare-sql'

type Missing = NonNullable<Compared['missing']>[number]

/** A record that was deleted here. `decision`: about one that the plugin changed; null to fail the file. */
export type Deleted = Missing & {
  decision: RecordConflict['decision'] | null
  isRestored: boolean
}

/**
 * Returns a function that tells which of the records that were given before and are missing were deleted here, by the index of
 * their rows. The others went when the entity was emptied: they are filled in again.
 */
export function deletedHere(db: Db, entity: Entity, origin: Origin) {
  const { conflicts, deleted: choice, installId } = origin
  const decider = choice === 'restore' ? { ...conflicts, otherwise: 'take' as const } : conflicts
  const emptied = new Map<number, boolean>()
  return async (missing: readonly Missing[]): Promise<ReadonlyMap<number, Deleted>> => {
    const deleted = new Map<number, Deleted>()
    for (const one of missing) {
      const { index, key, changed } = one
      const filledBy = one.filledBy ?? installId
      const isEmptied = emptied.get(filledBy) ?? !(await hasOthers(db, entity, origin, filledBy))
      emptied.set(filledBy, isEmptied)
      if (isEmptied) continue
      const decision = decisionOf(decider, key)
      const isRestored = changed ? decision === 'take' : choice === 'restore'
      deleted.set(index, { ...one, decision, isRestored })
    }
    return deleted
  }
}

/**
 * Remembers of all records that the plugin gave and that this install, which found the entity empty, has not created again (yet)
 * that they were not deleted one by one: a later install may fill them in. Notes that for the rollback.
 */
export async function recordEmptied(db: Db, { name }: Entity, { pluginId, installId }: Origin) {
  const left = sql`p.plugin_id = ${pluginId}::text and p.entity = ${name}::text
    and p.created_by is distinct from ${installId}::bigint`
  await db.execute(sql`with recorded as (
      insert into ${pluginChanges} (install_id, entity, key, change, remembered)
      select ${installId}::bigint, p.entity, p.key, 'unchanged', to_jsonb(p.*) from ${pluginRecords} as p where ${left}
      on conflict do nothing
    )
    update ${pluginRecords} as p set install_id = ${-installId}::bigint where ${left}`)
}

/** Whether the entity has a record other than those that the plugin has created since an install. */
async function hasOthers(
  db: Db,
  entity: Entity,
  origin: Origin,
  installId: number,
): Promise<boolean> {
  const { original } = origin
  if (await hasOthersIn(db, entity, origin, installId)) return true
  if (!original) return false
  const source = { ...entity, ...original }
  return readAndRelease(db, (inner) => hasOthersIn(inner, source, origin, installId))
}

async function hasOthersIn(db: Db, entity: Entity, origin: Origin, installId: number) {
  const source = entity.isDistributed
    ? onCoordinator(entity, origin)
    : sql`${tableSql(entity.table)} as t left join ${rememberedSql(entity, origin.pluginId, keySql(entity, 't'))} on true`
  const query = sql`select exists (
      select 1 from ${source} where coalesce(p.created_by, 0) < ${installId}::bigint
    ) as found`
  return one(await rows<{ found: boolean }>(db, query)).found
}

/** The nodes of a cluster return their keys, which are compared there. */
const onCoordinator = (entity: Entity, { pluginId }: Origin): SQL => sql`(
    select ${keySql(entity, 't')} as "$key" from ${tableSql(entity.table)} as t offset 0
  ) as t left join (
    select r.* from ${pluginRecords} as r where r.entity = ${entity.name}::text and r.plugin_id = ${pluginId}::text offset 0
  ) as p on p.key = t."$key"`

/** Gives what is left by the former path of a moved file its present one, and notes that for the rollback. */
export async function followMove(tx: Db, entity: Entity, origin: Origin): Promise<void> {
  const { pluginId, path, formerPath, installId } = origin
  if (formerPath === null) return
  const left = sql`p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text and p.path = ${formerPath}::text`
  await tx.execute(sql`with recorded as (
      insert into ${pluginChanges} (install_id, entity, key, change, remembered)
      select ${installId}::bigint, p.entity, p.key, 'unchanged', to_jsonb(p.*) from ${pluginRecords} as p where ${left}
      on conflict do nothing
    )
    update ${pluginRecords} as p set path = ${path}::text where ${left}`)
}
