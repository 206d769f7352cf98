import { and, asc, eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import { isDistributedSql } from '@/lib/db/cluster'
import { type EntityRow, entities, entityTypes, schemas } from '@/lib/db/schema'
import { lower } from '@/lib/db/sql'
import type { Db } from '@/lib/db/types'
import type { SchemaDefinition, TypeDefinition } from '@/lib/definitions/definition'
import { SCHEMA_NAME, VERSION } from './definition-version'

export type RegistryRow = {
  row: EntityRow & { isDistributed: boolean }
  schema: SchemaDefinition | null
  version: string
}

const ROW = {
  ...getTableColumns(entities),
  isDistributed: isDistributedSql(entities.tableSchema, entities.tableName),
}

/** Entities with the schema of each (named like the entity unless it names one), by name. */
export const selectEntities = (db: Db, where?: SQL): Promise<RegistryRow[]> =>
  db
    .select({ row: ROW, schema: schemas.definition, version: VERSION })
    .from(entities)
    .leftJoin(schemas, eq(schemas.name, SCHEMA_NAME))
    .where(where)
    .orderBy(asc(entities.name))

/** By name, case-insensitive, since names that differ only in case can't coexist. */
export const entityNamed = (db: Db, name: string) =>
  selectEntities(db, eq(lower(entities.name), name.toLowerCase()))

export const entitiesOfSchema = (db: Db, schemaName: string) =>
  selectEntities(db, eq(SCHEMA_NAME, schemaName))

export const entitiesOfTable = (db: Db, table: { schema: string; name: string }) =>
  selectEntities(
    db,
    and(
      eq(lower(entities.tableSchema), table.schema.toLowerCase()),
      eq(lower(entities.tableName), table.name.toLowerCase()),
    ),
  )

export const entitiesNamed = (db: Db, names: readonly string[]) =>
  names.length === 0 ? Promise.resolve([]) : selectEntities(db, inArray(entities.name, [...names]))

export const schemaNamed = (db: Db, name: string) =>
  db
    .select()
    .from(schemas)
    .where(eq(lower(schemas.name), name.toLowerCase()))

/** Every type defined by plugins. */
export async function loadTypes(db: Db): Promise<TypeDefinition[]> {
  const found = await db.select({ definition: entityTypes.definition }).from(entityTypes)
  return found.map(({ definition }) => definition)
}
