import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import { recordVersions } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { targetOf } from '@/lib/registry/target'
import { idSql } from '@/lib/search/record-json'
import { relationSql } from '@/lib/totals/keep-total'

/**
 * Of an entity without a history, the last change of each record that a person made in the console is kept: that is a
 * change of one record by a session.
 */
export const keepsLastChange = ({ type }: Actor, { definition }: Entity): boolean =>
  type === 'user' && !definition.history

/** Keeps it in place of the one before: `id`, and the row before and after, of one row of `from`. */
export const insertLastChange = (entity: Entity, from: SQL): SQL => sql`
  insert into ${recordVersions} (relation, entity, key, at, kind, data, after, change_id)
    select ${relationSql(entity.table)}, ${entity.name}::text, "$id", clock_timestamp(), 'update', "$old", "$new",
      engine.change_id()
    from (${from}) as one("$id", "$old", "$new")`

/** Forgets the changes of the records whose ids `from` has. The statement must not see the new one. */
export const forgetLastChange = ({ table }: Entity, from: SQL): SQL => sql`
  delete from ${recordVersions} as v using (${from}) as one("$id")
    where v.relation = ${relationSql(table)} and v.key_hash = hashtextextended("$id", 0) and v.key = "$id"
      and v.after is not null`

/** The row of a record as JSON text, before it is changed. */
export async function rowText(tx: Db, { table }: Entity, where: SQL): Promise<string> {
  const query = sql`select to_jsonb(t.*)::text as "row" from (select * from ${tableSql(table)} where ${where}) as t`
  return one(await rows<{ row: string }>(tx, query)).row
}

/** Keeps the change of a record in an open transaction, in two statements; `before` and `after` are rows. */
export async function keepLastChange(
  tx: Db,
  entity: Entity,
  before: string,
  after: string,
): Promise<void> {
  const row = sql`jsonb_populate_record(null::${tableSql(entity.table)}, ${after}::jsonb) as "$row"`
  const id = sql`select ${idSql(targetOf(entity))} from ${row}`
  await tx.execute(forgetLastChange(entity, id))
  await tx.execute(insertLastChange(entity, sql`select (${id}), ${before}::jsonb, ${after}::jsonb`))
}
