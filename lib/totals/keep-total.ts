import { type SQL, sql } from 'drizzle-orm'
import type { TableName } from '@/lib/definitions/definition'

/** The table as a value of type `regclass`. Fails when there is no such table. */
export const relationSql = ({ schema, name }: TableName): SQL =>
  sql`${`${quoted(schema)}.${quoted(name)}`}::regclass`

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Keeps the total of a new, empty table from now on. */
export const keepTotal = (table: TableName): SQL =>
  sql`select engine.keep_total(${relationSql(table)}, 0)`

/** Keeps the total of a table from now on whose records are counted later, by `maintainTotals`. */
export const keepUnknownTotal = (table: TableName): SQL =>
  sql`select engine.keep_total(${relationSql(table)}, null)`

/** Forgets the total of a table that is about to be dropped. */
export const dropTotal = (table: TableName): SQL[] =>
  ['entity_totals', 'entity_total_changes'].map(
    (from) => sql`delete from engine.${sql.raw(from)} where relation = ${relationSql(table)}`,
  )

/** Notes that stored values have changed by other means than UPDATE: totals of conditions may differ. */
export const recordChange = (table: TableName): SQL =>
  sql`insert into engine.entity_total_changes (relation, n) values (${relationSql(table)}, 0)`
