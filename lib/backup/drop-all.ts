import { type Client, escapeIdentifier } from 'pg'
import { ENGINE_SCHEMAS, listEntityTables } from './list-tables'
import { nameOf } from './read-structure'

/**
 * Removes the tables of entities and the engine's own schemas. Throws when an object that is not the engine's depends on
 * one of these tables: it would be removed with it.
 */
export async function dropAll(client: Client): Promise<void> {
  const tables = await listEntityTables(client)
  if (tables.length > 0) await client.query(`drop table ${tables.map(nameOf).join(', ')}`)
  for (const schema of ENGINE_SCHEMAS)
    await client.query(`drop schema if exists ${escapeIdentifier(schema)} cascade`)
  const { rows } = await client.query<{ schema: string }>(EMPTY, [
    [...new Set(tables.map(({ schema }) => schema))],
  ])
  for (const { schema } of rows) await client.query(`drop schema ${escapeIdentifier(schema)}`)
}

const EMPTY = `
  select nspname as schema from pg_namespace n
  where nspname = any($1) and nspname <> 'public'
    and not exists (select from pg_class where relnamespace = n.oid)
    and not exists (select from pg_proc where pronamespace = n.oid)
    and not exists (select from pg_type where typnamespace = n.oid)`
