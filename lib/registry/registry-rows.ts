import { and, asc, eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import { isDistributedSql } from '@/lib/db/cluster'
import { type EntityRow, entities, entityTypes, schemas } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import {
  AUDIT_FIELDS,
  type Entity,
  type EntityDefinition,
  type KeyDefinition,
  type Property,
  type Rules,
  type SchemaDefinition,
  type TypeDefinition,
} from '@/lib/definitions/definition'
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

/** What is installed by the name of a schema, with the entities that use it, or by that of an entity, with its schema to be. */
export type Installed = {
  entities: RegistryRow[]
  schema: typeof schemas.$inferSelect | undefined
}

export async function installedSchema(db: Db, { name }: { name: string }): Promise<Installed> {
  const [schema] = await schemaNamed(db, name)
  return { schema, entities: await entitiesOfSchema(db, name) }
}

export async function installedEntity(db: Db, entity: EntityDefinition): Promise<Installed> {
  const entities = await entityNamed(db, entity.name)
  const [schema] = await schemaNamed(db, schemaNameOf(entity))
  return { entities, schema }
}

/** Every type defined by plugins. */
export async function loadTypes(db: Db): Promise<TypeDefinition[]> {
  const found = await db.select({ definition: entityTypes.definition }).from(entityTypes)
  return found.map(({ definition }) => definition)
}

export type RegisteredEntity = Pick<
  EntityRow,
  'name' | 'pluginId' | 'definition' | 'tableSchema' | 'tableName' | 'extraFields'
> &
  Partial<Pick<EntityRow, 'addedIndexes'>> & { isDistributed?: boolean }

/** Merges a registry row with its schema; without a schema the entity is free-form. */
export function mergeEntity(row: RegisteredEntity, schema: SchemaDefinition | null): Entity {
  const { definition } = row
  const declared = schema?.properties ?? []
  const keys = definition.keys.map((key) => keyProperty(key, declared, definition.keys.length))
  const audit = definition.auditable ? AUDIT_PROPERTIES : []
  const taken = new Set([...keys, ...audit].map(({ name }) => name))
  return {
    name: row.name,
    pluginId: row.pluginId,
    definition,
    schema,
    table: { schema: row.tableSchema, name: row.tableName },
    properties: [...keys, ...declared.filter(({ name }) => !taken.has(name)), ...audit],
    keys: definition.keys.map(({ key }) => key),
    open: schema?.additionalProperties ?? true,
    extraFields: row.extraFields,
    addedIndexes: row.addedIndexes ?? [],
    ...(row.isDistributed ? { isDistributed: true } : {}),
  }
}

/** Name of the schema that the entity uses if it exists. */
export const schemaNameOf = ({
  engineSchema,
  name,
}: {
  engineSchema: string | null
  name: string
}) => engineSchema ?? name

const NO_RULES: Rules = { required: false, unique: false, indexed: false, searchable: false }

/** The schema's declaration of a key applies, except that a generated value is never required. */
function keyProperty(
  { key, strategy, type, renamedFrom = [] }: KeyDefinition,
  declared: readonly Property[],
  keyCount: number,
): Property {
  const property = declared.find(({ name }) => name === key) ?? {
    name: key,
    ...UNDECLARED_KEYS[strategy === 'AutoIncrement' && type === 'number' ? 'counter' : type],
    rules: NO_RULES,
  }
  const rules = { ...property.rules, required: strategy === 'Fixed', unique: keyCount === 1 }
  const formerNames = [...new Set([...(property.renamedFrom ?? []), ...renamedFrom])]
  return {
    ...property,
    ...(formerNames.length > 0 ? { renamedFrom: formerNames } : {}),
    rules: { ...rules, indexed: true },
  }
}

const UNDECLARED_KEYS = {
  counter: { type: 'bigint', kind: 'integer' },
  number: { type: 'decimal', kind: 'decimal' },
  string: { type: 'string', kind: 'text' },
} as const

const AUDIT_PROPERTIES: readonly Property[] = AUDIT_FIELDS.map((name) =>
  name.endsWith('At')
    ? { name, type: 'datetime', kind: 'datetime', rules: NO_RULES }
    : { name, type: 'string', kind: 'text', rules: NO_RULES },
)
