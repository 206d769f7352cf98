import { type SQL, sql } from 'drizzle-orm'
import { withHashJoins } from '@/lib/db/planner'
import { pluginChanges, pluginRecords, type RemovedCounts } from '@/lib/db/schema'
import { affectedRows, type Db, one, rows as rowsOf, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { FileKeys } from '@/lib/installs/file-keys'
import { recordset } from '@/lib/rows/record-columns'
import { storedReferences } from '@/lib/tables/stored-references'
import { moveToTrash } from '@/lib/trash/move-to-trash'
import {
  formerKeysBut,
  isUntouched,
  keySql,
  type Origin,
  ofFile,
  rememberedSql,
} from '../base/record-sql'
import { hasKey, stageRecords, stageReferences } from '../base/stage-records'

/** How long records that an install deleted can be restored from the trash, too. */
const TRASH_DAYS = 30

/**
 * Counts the stored records that the file gave before and that are not among the `keys`, those of all its
 * records; deletes those of them that are unchanged and not referred to, if the origin says so.
 */
export async function removeUnlisted(
  tx: Db,
  entity: Entity,
  origin: Origin,
  keys: FileKeys,
  actorName: string,
): Promise<RemovedCounts> {
  const remembered = sql`select count(*)::int as total from ${pluginRecords} as p where ${ofFile(origin, entity)}`
  if (one(await rowsOf<{ total: number }>(tx, remembered)).total <= keys.size)
    return { total: 0, deleted: 0 }
  const unlisted = unlistedKeys(entity, origin, keys.takeJson())
  return withHashJoins(tx, async () => {
    const staged = await stageRecords(tx, entity, sql`${keySql(entity, 't')} in (${unlisted})`)
    const stored = sql`(${unlisted}) as "$left" join ${rememberedSql(entity, origin.pluginId, sql`"$left".key`)} on true
      join ${tableSql(staged.table)} as t on ${keySql(entity, 't')} = "$left".key`
    const { total } = one(
      await rowsOf<{ total: number }>(tx, sql`select count(*)::int as total from ${stored}`),
    )
    if (total === 0 || origin.removed === 'keep') return { total, deleted: 0 }
    return { total, deleted: await remove(tx, entity, origin, { staged, stored, actorName }) }
  })
}

/** A query of the keys that the file gave before and gives no longer; `keys`: those that it gives, in JSON. */
export const unlistedKeys = (entity: Entity, origin: Origin, keys: string): SQL =>
  formerKeysBut(
    entity,
    origin,
    sql`select ${keySql(entity, 'n')} from ${recordset(entity, keys, entity.keys)}`,
  )

async function remove(
  tx: Db,
  entity: Entity,
  origin: Origin,
  { staged, stored, actorName }: { staged: Entity; stored: SQL; actorName: string },
): Promise<number> {
  const { installId } = origin
  const noted = await affectedRows(
    tx,
    sql`with "$removed" as materialized (
        select p.key, to_jsonb(t.*) as before, to_jsonb(p.*) as remembered from ${stored}
        where p.created_by is not null and ${isUntouched(entity, 't', sql`p.base`)}
          and ${await isReferredToByNone(tx, entity, staged)}
        for update of t
      )
      insert into ${pluginChanges} (install_id, entity, key, change, before, remembered)
      select ${installId}::bigint, ${entity.name}::text, key, 'deleted', before, remembered from "$removed"
      on conflict (install_id, entity, key) do update set change = 'deleted', before = excluded.before || coalesce(plugin_changes.before, '{}')`,
  )
  if (noted === 0) return 0
  const deleted = sql`select c.key from ${pluginChanges} as c
    where c.install_id = ${installId}::bigint and c.entity = ${entity.name}::text and c.change = 'deleted'`
  await tx.execute(
    sql`delete from ${pluginRecords} as p where ${ofFile(origin, entity)} and p.key in (${deleted})`,
  )
  // A record that another file of the archive gives now is remembered again.
  const moved = await moveToTrash(
    tx,
    entity,
    hasKey(
      entity,
      staged,
      sql`${deleted} and not exists (select from ${pluginRecords} as p where p.entity = ${entity.name}::text
        and p.plugin_id = ${origin.pluginId}::text and p.key = c.key)`,
    ),
    { days: TRASH_DAYS, deletedBy: actorName },
  )
  return moved.count
}

/** Whether no other record refers to the record `t`, a staged one. */
async function isReferredToByNone(tx: Db, entity: Entity, staged: Entity): Promise<SQL> {
  const conditions = [sql`true`]
  for (const { table, reference } of await storedReferences(tx, entity.table)) {
    const { columns, fields } = reference
    const referring = entity.isDistributed
      ? await stageReferences(tx, { table, columns, fields }, staged, conditions.length)
      : table
    const equal = columns.map(
      (name, at) => sql`"$r".${sql.identifier(name)} = t.${sql.identifier(fields[at] ?? '')}`,
    )
    conditions.push(
      sql`not exists (select from ${tableSql(referring)} as "$r" where ${sql.join(equal, sql` and `)})`,
    )
  }
  return sql.join(conditions, sql` and `)
}
