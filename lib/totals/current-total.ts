import { type SQL, sql } from 'drizzle-orm'
import type { TableName } from '@/lib/definitions/definition'
import { relationSql } from './keep-total'

/**
 * `total` is a bigint as text, or null when it is the one that is known for `version`. `version` is
 * null where totals can't be remembered. `pending`: how many changes were added up.
 */
export type TotalRow = { total: string | null; version: string | null; pending: number | null }

/**
 * One row: the number of records of a table; the result of `count`, a scalar subquery, where it is
 * not kept. PostgreSQL runs a subquery only when its result is needed.
 */
export const recordTotal = (table: TableName, count: SQL): SQL => sql`
  select coalesce("kept"."total"::text, ${count}) as "total", null::text as "version",
    "kept"."pending"::int as "pending"
  from (select) as "one" left join engine.current_totals as "kept" on "kept".relation = ${relationSql(table)}`

/** One row: the result of `count`, a scalar subquery over `tables`, unless their version is `known`. */
export function matchTotal(tables: readonly TableName[], count: SQL, known: string): SQL {
  const names = tables.map((_, at) => sql.identifier(`kept${at}`))
  const kept = tables.map(
    (table, at) =>
      sql`left join engine.current_totals as ${names[at]} on ${names[at]}.relation = ${relationSql(table)}`,
  )
  const version = sql.join(
    names.map((name) => sql`${name}.version`),
    sql` || ' ' || `,
  )
  return sql`
    select case when "version" = ${known}::text then null else ${count} end as "total", "version", "pending"
    from (
      select ${version} as "version", ${names[0]}."pending"::int as "pending"
      from (select) as "one" ${sql.join(kept, sql` `)} offset 0
    ) as "state"`
}
