import type { ClientBase } from 'pg'

export const ENGINE_SCHEMAS = ['engine', 'engine_migrations']

export type OwnTable = { oid: string; schema: string; name: string }

/** Whether the database has the engine's own tables. */
export async function hasEngine(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('engine.entities') is not null as has`)
  return rows[0].has
}

/**
 * The tables of entities, those of uninstalled plugins included, by the registry: others in the same
 * schemas are not ours.
 */
export const listEntityTables = (client: ClientBase) => list(client, ENTITY_TABLES)

/** The engine's own tables, without the list of applied migrations. */
export const listEngineTables = (client: ClientBase) => list(client, ENGINE_TABLES)

async function list(client: ClientBase, query: string): Promise<OwnTable[]> {
  return (await client.query<OwnTable>(query)).rows
}

// An uninstall moves tables into schemas named `engine_trash_…`.
const ENTITY_TABLES = `
  select c.oid::text, n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and (n.nspname like 'engine\\_trash\\_%' or exists (
    select from engine.entities e where e.table_schema = n.nspname and e.table_name = c.relname))
  order by 2, 3`

const ENGINE_TABLES = `
  select c.oid::text, 'engine' as schema, relname as name from pg_class c
  where relkind = 'r' and relnamespace = 'engine'::regnamespace
    -- The log of changes begins anew: its places are numbers of this database's transactions. Deliveries are of such places.
    and relname !~ '^(record_events|event_log|webhook_deliveries)' order by 3`
