import { eq, sql } from 'drizzle-orm'
import { entities } from '@/lib/db/schema'
import { tableSql, textArray } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { DefinitionError, type Parsed } from '@/lib/definitions/definition-faults'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import type { Deps } from '@/lib/deps'
import { findEntity, registryChanged } from '@/lib/registry/registry'
import { jsonToColumn } from '@/lib/tables/cast-sql'
import { defineEntity } from '@/lib/tables/define-entity'
import { defineSchema } from '@/lib/tables/define-schema'
import type { Json, JsonObject } from '@/lib/values/json'

type TestEntity = { entity: object; schema?: object }

/**
 * Installs an entity from its definitions as in a plugin (`schema` gets the entity's name
 * unless it has one) and inserts records as they are, unchecked. Throws `DefinitionError`.
 */
export async function installTestEntity(
  deps: Deps,
  { entity, schema }: TestEntity,
  records: readonly object[] = [],
): Promise<Entity> {
  const definition = read(parseEntityDefinition(entity as Json))
  await deps.db.transaction(async (tx) => {
    if (schema) {
      const named = { name: definition.engineSchema ?? definition.name, ...schema }
      await defineSchema(tx, read(parseSchemaDefinition(named as Json)), 'test')
    }
    await defineEntity(tx, definition, 'test')
  })
  await registryChanged(deps)
  const installed = await findEntity(deps, definition.name)
  if (records.length === 0) return installed
  await insertTestRecords(deps, installed, records)
  return findEntity(deps, definition.name)
}

/** Inserts records as they are, with neither checks nor defaults, and notes their undeclared names. */
export async function insertTestRecords(
  deps: Deps,
  entity: Entity,
  records: readonly object[],
): Promise<void> {
  const seen = new Set(entity.extraFields)
  for (const record of records) {
    const names = await insert(deps, entity, JSON.parse(JSON.stringify(record)) as JsonObject)
    for (const name of names) seen.add(name)
  }
  const extraFields = sql`${textArray([...seen].sort())}`
  await deps.db.update(entities).set({ extraFields }).where(eq(entities.name, entity.name))
  await registryChanged(deps)
}

async function insert(deps: Deps, { table, properties }: Entity, record: JsonObject) {
  const present = properties.filter(({ name }) => Object.hasOwn(record, name))
  const declared = new Set(present.map(({ name }) => name))
  const extra = Object.entries(record).filter(([name]) => !declared.has(name))
  const columns = [...present.map(({ name }) => name), EXTRA_COLUMN].map((name) =>
    sql.identifier(name),
  )
  const values = present.map((property) => {
    const value = sql`${JSON.stringify(record[property.name])}::jsonb`
    return jsonToColumn(value, property)
  })
  const undeclared = extra.length > 0 ? JSON.stringify(Object.fromEntries(extra)) : null
  const list = sql.join([...values, sql`${undeclared}::jsonb`], sql`, `)
  await deps.db.execute(
    sql`insert into ${tableSql(table)} (${sql.join(columns, sql`, `)}) values (${list})`,
  )
  return extra.map(([name]) => name)
}

function read<T>(parsed: Parsed<T>): T {
  if ('faults' in parsed) throw new DefinitionError('Invalid definition', parsed.faults)
  return parsed.definition
}
