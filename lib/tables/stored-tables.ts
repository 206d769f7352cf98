import { sql } from 'drizzle-orm'
import { type Db, rows } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'

/** Whether the database has a table, view, sequence or index of this name, of any origin. */
export async function relationExists(tx: Db, { schema, name }: TableName): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ${schema} and c.relname = ${name}`,
  )
  return found.length > 0
}
