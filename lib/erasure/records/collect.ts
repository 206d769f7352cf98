import { type SQL, sql } from 'drizzle-orm'
import { databaseError } from '@/lib/db/errors'
import { type Db, one, rows, tableSql, textArray } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { targetOf } from '@/lib/registry/target'
import { commentKey } from '@/lib/search/comment-key'
import { idSql } from '@/lib/search/record-json'
import { relationSql } from '@/lib/totals/keep-total'

/** The records of an erasure, a temporary table: `key` and `comment` by which copies name them, and whether they `stay`. */
export const ERASED = sql`engine_erased`

/**
 * Collects the records that match `where`, and those of which a copy does: deleted before, or different now, which stay themselves. Returns
 * the number of these.
 * Throws `conflict` for copies by a former definition that the present table cannot hold.
 */
export async function collectErased(tx: Db, entity: Entity, where: SQL): Promise<number> {
  const target = targetOf(entity)
  const [id, comment, table] = [idSql(target), commentKey(target), tableSql(entity.table)]
  const copies = sql.join(copiesOf(entity), sql` union all `)
  const found = sql`select ${id} as "$key", ${comment} as "$comment", true as "$live" from ${table} where ${where}
    union all select coalesce("$of", ${id}), ${comment}, false from (${copies}) as "$copy",
      lateral jsonb_populate_record(null::${table}, "$copy"."$data") where ${where}`
  try {
    await tx.execute(sql`create temporary table ${ERASED} on commit drop as
      select "$k"."$key" as key, "$k".comment, not "$k".live and exists (select from ${table} where ${id} = "$k"."$key") as stays
      from (select "$key", max("$comment") as comment, bool_or("$live") as live from (${found}) as "$found"
        where "$key" is not null group by "$key") as "$k"`)
  } catch (error) {
    if (!databaseError(error)?.code.startsWith('22')) throw error
    throw new AppError(
      'conflict',
      `Copies of records of "${entity.name}" have values that its present definition does not allow, so that the conditions can't be compared with them; nothing was erased`,
      { cause: error },
    )
  }
  const isMatch = sql`exists (select from ${table} where ${where} and ${id} = "$e".key)`
  const others = sql`select count(*)::int as total from ${ERASED} as "$e" where not ${isMatch}`
  return one(await rows<{ total: number }>(tx, others)).total
}

/**
 * Copies as rows of the table, in JSON, each with the key by which it is kept, if it is kept by one. Those that hold some fields alone
 * have the others as the record has them now: what they do not say is not empty. Deletions of which the key alone is left are none.
 */
function copiesOf(entity: Entity): SQL[] {
  const { name, table, keys } = entity
  const relation = relationSql(table)
  const log = (from: string, column: string) =>
    sql`select key as "$of", ${sql.identifier(column)} as "$data" from engine.${sql.identifier(from)}
      where relation = ${relation} and ${sql.identifier(column)} - ${textArray(keys)} <> '{}'`
  const ofPlugins = (from: string, column: string) =>
    sql`select key as "$of", ${sql.identifier(column)} as "$data" from engine.${sql.identifier(from)}
      where entity = ${name} and ${sql.identifier(column)} is not null`
  const key = sql`(select ${idSql(targetOf(entity))} from jsonb_populate_record(null::${tableSql(table)}, r.data))`
  const trash = (data: SQL) =>
    sql`select ${key} as "$of", ${data} as "$data" from engine.trash_records as r join engine.trash_batches as b on b.id = r.batch_id
      where b.entity = ${name} and b.kind in ('records', 'edit', 'import')`
  const part = (field: string) =>
    sql`r.data || case when jsonb_typeof(r.data -> ${field}::text) = 'object' then r.data -> ${field}::text else '{}' end`
  const parts = [
    trash(part('$before')),
    trash(part('$after')),
    ofPlugins('plugin_records', 'base'),
    ofPlugins('plugin_changes', 'before'),
  ]
  return [
    log('record_versions', 'data'),
    log('record_versions', 'after'),
    log('record_events', 'before'),
    log('record_events', 'after'),
    ...parts.map((found) => completed(entity, found)),
  ]
}

/** Nodes of a cluster join no table of theirs with what is kept apart. */
function completed(entity: Entity, found: SQL): SQL {
  if (entity.isDistributed) return found
  return sql`select "$part"."$of", coalesce("$now"."$row", '{}') || "$part"."$data" from (${found}) as "$part"
    left join (select ${idSql(targetOf(entity))} as "$id", to_jsonb("$t".*) as "$row" from ${tableSql(entity.table)} as "$t") as "$now"
      on "$now"."$id" = "$part"."$of"`
}
