import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import { pluginRecords, type RecordConflict } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { decisionOf } from '@/lib/plugins/decisions'
import { readAndRelease } from '@/lib/plugins/dry-run/carry-records'
import type { Compared } from './compare-sql'
import type { Origin } from './origin'
import { keySql, rememberedSql } from './record-sql'

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
  const { conflicts, deleted: choice } = origin
  const decider = choice === 'restore' ? { ...conflicts, otherwise: 'take' as const } : conflicts
  const emptied = new Map<number, boolean>()
  return async (missing: readonly Missing[]): Promise<ReadonlyMap<number, Deleted>> => {
    const deleted = new Map<number, Deleted>()
    for (const one of missing) {
      const { index, key, changed, givenBy } = one
      const isEmptied = emptied.get(givenBy) ?? !(await hasOthers(db, entity, origin, givenBy))
      emptied.set(givenBy, isEmptied)
      if (isEmptied) continue
      const decision = decisionOf(decider, key)
      const isRestored = changed ? decision === 'take' : choice === 'restore'
      deleted.set(index, { ...one, decision, isRestored })
    }
    return deleted
  }
}

/** Whether the entity has a record other than those that the plugin has created after an install. */
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
      select 1 from ${source} where coalesce(p.created_by, 0) <= ${installId}::bigint
    ) as found`
  return one(await rows<{ found: boolean }>(db, query)).found
}

/** The nodes of a cluster return their keys, which are compared there. */
const onCoordinator = (entity: Entity, { pluginId }: Origin): SQL => sql`(
    select ${keySql(entity, 't')} as "$key" from ${tableSql(entity.table)} as t offset 0
  ) as t left join (
    select r.* from ${pluginRecords} as r where r.entity = ${entity.name}::text and r.plugin_id = ${pluginId}::text offset 0
  ) as p on p.key = t."$key"`
