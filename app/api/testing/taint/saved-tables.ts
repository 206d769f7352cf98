import { sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/sql'
import { WORLD } from './world'

/** Those that requests change, in an order in which their rows can be inserted. */
const TABLES = [
  ...WORLD.map(({ name }) => `entities.${name.toLowerCase()}`),
  ...['trash_batches', 'trash_records', 'record_versions', 'saved_views'].map(
    (name) => `engine.${name}`,
  ),
]
/** Emptied, and filled anew by the test. */
const EMPTIED = ['policies', 'exports', 'imports', 'record_comments'].map(
  (name) => `engine.${name}`,
)

const copyOf = (table: string) => sql.raw(`taint.${table.replace('.', '_')}`)

/** Columns that are not generated, as SQL text. */
async function columnsOf(db: Db, table: string): Promise<string> {
  const { rows } = (await db.execute(
    sql`select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )) as unknown as { rows: { list: string }[] }
  return rows[0]?.list ?? '*'
}

const lists = new Map<string, string>()

/** Keeps the rows of this moment. */
export async function saveTables(db: Db): Promise<void> {
  await db.execute(sql`create schema taint`)
  for (const table of TABLES) {
    const list = await columnsOf(db, table)
    lists.set(table, list)
    await db.execute(
      sql`create table ${copyOf(table)} as select ${sql.raw(list)} from ${sql.raw(table)}`,
    )
  }
}

/** Puts them back in the place of those that are there now; one by one, since nodes of a cluster are locked table by table. */
export async function restoreTables(db: Db): Promise<void> {
  for (const table of [...TABLES, ...EMPTIED].toReversed())
    await db.execute(sql`delete from ${sql.raw(table)}`)
  await db.execute(sql`delete from engine.users where email not like '%-%'`)
  for (const table of TABLES) {
    // Versions that the triggers wrote for the rows of entities.
    if (table === 'engine.record_versions') await db.execute(sql`delete from ${sql.raw(table)}`)
    const list = sql.raw(lists.get(table) ?? '*')
    await db.execute(
      sql`insert into ${sql.raw(table)} (${list}) overriding system value select ${list} from ${copyOf(table)}`,
    )
  }
}
