import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import type { Deps } from '@/lib/deps'
import { defineEntity } from '@/lib/tables/define-entity'
import { defineSchema } from '@/lib/tables/define-schema'
import type { Json } from '@/lib/values/json'

/** Installs a schema definition as in a plugin. Throws `DefinitionError`. */
export async function defineTestSchema({ db }: Deps, json: object, pluginId = 'test') {
  const parsed = parseSchemaDefinition(json as Json)
  if ('faults' in parsed) throw new DefinitionError('Invalid definition', parsed.faults)
  return defineSchema(db, parsed.definition, pluginId)
}

/** Installs an entity definition as in a plugin. Throws `DefinitionError`. */
export async function defineTestEntity({ db }: Deps, json: object, pluginId = 'test') {
  const parsed = parseEntityDefinition(json as Json)
  if ('faults' in parsed) throw new DefinitionError('Invalid definition', parsed.faults)
  return defineEntity(db, parsed.definition, pluginId)
}

/** Columns of a table in the schema `entities`: `{ name → type }`, `type!` where null is refused. */
export async function tableColumns({ db }: Deps, table: string): Promise<Record<string, string>> {
  const found = await rows<{ name: string; type: string }>(
    db,
    sql`select attname as name, format_type(atttypid, atttypmod) || case when attnotnull then '!' else '' end as type
        from pg_attribute where attrelid = format('entities.%I', ${table}::text)::regclass
        and attnum > 0 and not attisdropped order by attnum`,
  )
  return Object.fromEntries(found.map(({ name, type }) => [name, type]))
}

/** Definitions of a table's indexes without their names, sorted. */
export async function tableIndexDefinitions({ db }: Deps, table: string): Promise<string[]> {
  const found = await rows<{ text: string }>(
    db,
    sql`select regexp_replace(indexdef, '^CREATE (UNIQUE )?INDEX [^ ]+ ON [^ ]+ ', '\\1') as text
        from pg_indexes where schemaname = 'entities' and tablename = ${table}`,
  )
  return found.map(({ text }) => text).sort()
}

/** Foreign keys of all entities: `table.column → table.column`, with `?` where older values are exempt. */
export async function foreignKeys({ db }: Deps): Promise<string[]> {
  const found = await rows<{ text: string }>(
    db,
    sql`select s.relname || '.' || sa.attname || ' → ' || t.relname || '.' || ta.attname || case when convalidated then '' else '?' end as text
        from pg_constraint c
        join pg_class s on s.oid = c.conrelid join pg_class t on t.oid = c.confrelid
        join pg_attribute sa on sa.attrelid = s.oid and sa.attnum = c.conkey[1]
        join pg_attribute ta on ta.attrelid = t.oid and ta.attnum = c.confkey[1]
        where c.contype = 'f' and s.relnamespace = 'entities'::regnamespace`,
  )
  return found.map(({ text }) => text).sort()
}
