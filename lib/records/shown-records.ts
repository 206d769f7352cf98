import { type SQL, sql } from 'drizzle-orm'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import { type Db, one, rows as rowsOf, tableSql } from '@/lib/db/sql'
import { withoutUnchanged } from '@/lib/registry/may-read'
import { targetOf } from '@/lib/registry/target'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { columnList, hasKeyOf, stored } from '@/lib/rows/record-columns'
import { keyRelation, keysJson, POSITION } from '@/lib/rows/select-records'
import { idSql, recordJson } from '@/lib/search/record-json'
import { fromSql } from '@/lib/search/sql-terms'
import { readsWhole, type WriteRule } from './write-rule'

/** The only record that matches `where` as the caller reads it, as JSON text; null when it may not. */
export async function readShown(db: Db, rule: WriteRule, where: SQL): Promise<string | null> {
  const { visible } = rule
  if (!visible) return null
  const shown = visible.rule ? sql`${where} and ${visible.rule.sql}` : where
  const [found] = await rowsOf<{ json: string }>(
    db,
    sql`select ${recordJson(visible, null)} as json from ${fromSql(visible, visible.rule?.joins)} where ${shown}`,
  )
  return found?.json ?? null
}

/** Whether a record changed would tell of its fields that the caller may not read. */
export const countsUnder = (rule: WriteRule, counts: RecordCounts): RecordCounts =>
  readsWhole(rule) ? counts : withoutUnchanged(counts)

/**
 * The stored records of rows as the caller reads them, as the JSON text of a list in the order of the rows; those that it
 * may not read have their ids alone.
 */
export async function selectShown(
  db: Db,
  { entity, visible }: WriteRule,
  rows: PreparedRow[],
): Promise<string> {
  const json = keysJson(entity, rows)
  const keys = columnList(entity.keys)
  const all = sql`select ${keys}, json_build_object('persistenceId', ${idSql(targetOf(entity))})::text as "$id" from ${tableSql(entity.table)}`
  const shown = visible
    ? sql`select ${keys}, ${recordJson(visible, null)} as "$json" from ${fromSql(visible, visible.rule?.joins)} where ${visible.rule?.sql ?? sql`true`}`
    : sql`select ${keys}, null::text as "$json" from ${tableSql(entity.table)} where false`
  const same = sql.join(
    entity.keys.map((key) => sql`s.${sql.identifier(key)} = ${stored(key)}`),
    sql` and `,
  )
  const found = await rowsOf<{ data: string }>(
    db,
    sql`select '[' || coalesce(string_agg(coalesce(s."$json", t."$id"), ',' order by n.${POSITION}), '') || ']' as data
      from (${all}) as t join ${keyRelation(entity, json)} on ${hasKeyOf(entity, json)}
        left join (${shown}) as s on ${same}`,
  )
  return one(found).data
}
