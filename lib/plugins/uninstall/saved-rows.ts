import { asc, getTableName, inArray, type SQL, sql } from 'drizzle-orm'
import { lower } from '@/lib/db/functions'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import type { entities, entityTypes, plugins, policies, roles, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { JsonObject } from '@/lib/values/json'

type Table =
  | typeof plugins
  | typeof entities
  | typeof schemas
  | typeof entityTypes
  | typeof roles
  | typeof policies

const nameOf = (table: Table) => tableSql({ schema: 'engine', name: getTableName(table) })

/** Rows of a table of ours as JSON, column → value. */
export async function readRows(db: Db, table: Table, where: SQL): Promise<JsonObject[]> {
  const found = await rows<{ row: JsonObject }>(
    db,
    sql`select to_jsonb(t.*) as row from (select * from ${table} where ${where}) as t`,
  )
  return found.map(({ row }) => row)
}

/** Inserts rows as `readRows` gives them; columns that the table has since then get their defaults. */
export async function insertRows(
  tx: Db,
  table: Table,
  saved: readonly JsonObject[],
): Promise<void> {
  const [first] = saved
  if (!first) return
  const columns = sql.join(
    Object.keys(first).map((name) => sql.identifier(name)),
    sql`, `,
  )
  await tx.execute(
    sql`insert into ${nameOf(table)} (${columns})
        select ${columns} from jsonb_populate_recordset(null::${nameOf(table)}, ${JSON.stringify(saved)}::jsonb)`,
  )
}

/** Whose names are taken, case-insensitive. */
export async function takenNames(
  db: Db,
  table: Exclude<Table, typeof plugins>,
  saved: readonly JsonObject[],
): Promise<string[]> {
  if (saved.length === 0) return []
  const names = saved.map(({ name }) => lower(String(name)))
  const found = await db
    .select({ name: table.name })
    .from(table as typeof schemas)
    .where(inArray(lower(table.name), names))
    .orderBy(asc(table.name))
  return found.map(({ name }) => name)
}
