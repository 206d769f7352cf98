import { sql } from 'drizzle-orm'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'

export type TableFigures = {
  /** Estimated, as of the last ANALYZE. */
  records: number
  pages: number
  bytes: number
  /** All that the table has, of whatever origin. */
  indexes: number
  columns: ReadonlyMap<string, { width: number; distinct: number }>
}

/** What the planner knows about an entity's table; no value of a record is read. */
export async function readTableFigures(db: Db, { table }: Entity): Promise<TableFigures> {
  const oid = sql`format('%I.%I', ${table.schema}::text, ${table.name}::text)::regclass`
  const sizes = sql`select greatest(c.reltuples, s.n_live_tup, 0)::float8 as records, pg_relation_size(c.oid)::float8 as bytes,
      (pg_relation_size(c.oid) / current_setting('block_size')::int)::float8 as pages,
      (select count(*)::int from pg_index where indrelid = c.oid) as indexes
    from pg_class c left join pg_stat_all_tables s on s.relid = c.oid where c.oid = ${oid}`
  const found = await rows<{ name: string; width: number; distinct: number }>(
    db,
    sql`select attname as name, avg_width as width, n_distinct::float8 as distinct from pg_stats
        where schemaname = ${table.schema} and tablename = ${table.name}`,
  )
  const figures = one(await rows<Omit<TableFigures, 'columns'>>(db, sizes))
  const columns = found.map(
    ({ name, width, distinct }): [string, { width: number; distinct: number }] => [
      name,
      // PostgreSQL gives a number that grows with the table as a negative share of its rows.
      { width, distinct: distinct < 0 ? -distinct * figures.records : distinct },
    ],
  )
  return { ...figures, columns: new Map(columns) }
}
