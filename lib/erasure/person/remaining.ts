import { sql } from 'drizzle-orm'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { PersonErasure } from '../contract'
import type { Person } from './find-person'
import { WRITTEN_BY_PEOPLE } from './own-tables'
import { hasEmail } from './pseudonym'

/** Tables of records, definitions and copies of both, with the number of rows in which an email of the person stands. */
export async function countRemaining(tx: Db, person: Person): Promise<PersonErasure['remaining']> {
  const named = hasEmail(sql`to_jsonb(t.*)::text`, person)
  if (!named) return []
  const own = WRITTEN_BY_PEOPLE.map((name) => ({ schema: 'engine', name }))
  const remaining: PersonErasure['remaining'] = []
  for (const table of [...(await recordTables(tx)), ...own]) {
    const count = sql`select count(*)::int as total from ${tableSql(table)} as t where ${named}`
    const { total } = one(await rows<{ total: number }>(tx, count))
    if (total > 0) remaining.push({ table: `${table.schema}.${table.name}`, rows: total })
  }
  return remaining
}

const recordTables = (db: Db): Promise<TableName[]> =>
  rows<TableName>(
    db,
    sql`select n.nspname as schema, c.relname as name
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and (n.nspname like 'engine\\_trash\\_%' or exists (
        select from engine.entities as e where e.table_schema = n.nspname and e.table_name = c.relname))
      order by 1, 2`,
  )
