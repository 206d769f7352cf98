import { sql } from 'drizzle-orm'
import { estimateRows } from '@/lib/db/planner'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'

export type RecordCount = { value: number; isEstimate: boolean }

/**
 * Where the total of a table is not kept, those up to this size are counted; for larger ones the
 * estimate of the last ANALYZE is used.
 */
const EXACT_BELOW = 50_000
const TABLES_A_STATEMENT = 200

/** The number of records of each entity, by name. */
export async function countEntities(
  db: Db,
  entities: readonly Entity[],
): Promise<Map<string, RecordCount>> {
  const totals = await readTotals(db, entities)
  const counts = new Map<string, RecordCount>()
  const small: Entity[] = []
  for (const entity of entities) {
    const found = totals.get(`${entity.table.schema}.${entity.table.name}`)
    // Its schema is not installed yet, so there is no table.
    if (!found) counts.set(entity.name, { value: 0, isEstimate: false })
    else if (found.total !== null)
      counts.set(entity.name, { value: found.total, isEstimate: false })
    else {
      const estimate = await estimateOf(db, entity, found)
      if (estimate < EXACT_BELOW) small.push(entity)
      else counts.set(entity.name, { value: Math.round(estimate), isEstimate: true })
    }
  }
  for (let at = 0; at < small.length; at += TABLES_A_STATEMENT) {
    for (const { name, total } of await countRows(db, small.slice(at, at + TABLES_A_STATEMENT)))
      counts.set(name, { value: total, isEstimate: false })
  }
  return counts
}

type TableCount = { table: string; total: number | null; estimate: number }

/** What PostgreSQL knows of a table on the nodes of a cluster, only the nodes know. */
const estimateOf = async (db: Db, { isDistributed, table }: Entity, found: TableCount) =>
  isDistributed
    ? (await estimateRows(db, sql`select from ${tableSql(table)}`)).count
    : found.estimate

async function readTotals(db: Db, entities: readonly Entity[]): Promise<Map<string, TableCount>> {
  const tables = JSON.stringify(entities.map(({ table }) => table))
  const found = await rows<TableCount>(
    db,
    sql`select n.nspname || '.' || c.relname as table, c.reltuples::float8 as estimate, k.total::float8 as total
        from jsonb_to_recordset(${tables}::jsonb) as t(schema text, name text)
        join pg_namespace n on n.nspname = t.schema
        join pg_class c on c.relnamespace = n.oid and c.relname = t.name
        left join engine.current_totals k on k.relation = c.oid`,
  )
  return new Map(found.map((one) => [one.table, one]))
}

async function countRows(db: Db, entities: readonly Entity[]) {
  const counts = entities.map(
    ({ name, table }) =>
      sql`select ${name}::text as name, (select count(*) from ${tableSql(table)})::float8 as total`,
  )
  if (counts.length === 0) return []
  return rows<{ name: string; total: number }>(db, sql.join(counts, sql` union all `))
}
