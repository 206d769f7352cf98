import { type SQL, sql } from 'drizzle-orm'
import type { TableName } from '@/lib/definitions/definition'
import { relationSql } from './keep-total'

/**
 * `total` is a bigint as text, null where it is not kept. `version` is null where totals can't be
 * remembered. `pending`: how many changes of the first table were added up.
 */
export type TotalRow = { total: string | null; version: string | null; pending: number | null }

/** One row: the kept total of a table. */
export const keptTotal = (table: TableName): SQL =>
  sql`select total as "total", version as "version", pending as "pending" from engine.total_of(${relationSql(table)})`

/**
 * One row: `total`, an expression, and the version of the tables that it depends on. With `unless` it is only
 * evaluated when the version is another one, and otherwise null.
 */
export function versionedTotal(
  tables: readonly TableName[],
  total: SQL,
  unless: string | null = null,
): SQL {
  const names = tables.map((_, at) => sql.identifier(`kept${at}`))
  const kept = tables.map(
    (table, at) => sql`engine.total_of(${relationSql(table)}) as ${names[at]}`,
  )
  const versions = names.map((name) => sql`${name}.version`)
  const version = sql.join(versions, sql` || ' ' || `)
  const wanted =
    unless === null
      ? total
      : sql`case when ${version} is distinct from ${unless}::text then ${total} end`
  return sql`
    select ${wanted} as "total", ${version} as "version", ${names[0]}.pending as "pending"
    from ${sql.join(kept, sql`, `)}`
}
