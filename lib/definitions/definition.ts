import type { Json } from '@/lib/values/json'

/**
 * The normalised forms of what plugins define: every default filled in, every alias resolved.
 * They are what the registry stores and the rest of the engine works with.
 */

/** How values of a property are stored, compared and searched. */
export type Kind =
  | 'text'
  | 'integer'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'json'
  | 'object'
  | 'array'

export type NumberKind = 'integer' | 'float' | 'decimal'

export const isNumberKind = (kind: Kind): kind is NumberKind =>
  kind === 'integer' || kind === 'float' || kind === 'decimal'

export type Rules = {
  required: boolean
  unique: boolean
  indexed: boolean
  /** Gets a trigram index: `contains`, `ilike` and their like are fast. */
  searchable: boolean
  default?: Json
  length?: number
  minLength?: number
  maxLength?: number
  min?: number
  max?: number
  /** Of RE2, the linear-time dialect. */
  pattern?: string
  enum?: Json[]
  /** `email`, `url`, `uuid`, `phone`: a check on text beyond the type. */
  format?: string
  reference?: { entity: string; field: string }
}

export type Property = {
  /** Field name in records and column name in the table, to the letter. */
  name: string
  /** The type as declared, in lower case (`Date` with a capital: `datetime`). */
  type: string
  kind: Kind
  label?: string
  description?: string
  /** A value that the rules allow, for documentation. */
  example?: Json
  rules: Rules
}

export type SchemaDefinition = {
  name: string
  label?: string
  description?: string
  /** Undeclared fields are kept; else a record that has one fails. */
  additionalProperties: boolean
  properties: Property[]
}

export type TypeDefinition = { name: string; baseType: string; meta: Record<string, Json> }

type KeyStrategy = 'AutoIncrement' | 'UUID' | 'Fixed'
export type KeyDefinition = { key: string; strategy: KeyStrategy; type: 'number' | 'string' }
export type InsertDuplicate = 'Error' | 'Upsert' | 'Ignore'
export type UpdateStrategy = 'Upsert' | 'Replace'
export type IndexDefinition = { fields: string[]; unique: boolean }

export type EntityDefinition = {
  name: string
  description?: string
  /** Name of the schema, null: the one named like the entity, or free-form when there is none. */
  engineSchema: string | null
  table: TableName
  keys: KeyDefinition[]
  insertDuplicate: InsertDuplicate
  updateStrategy: UpdateStrategy
  permissions: { read: boolean; write: boolean; update: boolean; delete: boolean }
  auditable: boolean
  indexes: IndexDefinition[]
}

export type TableName = { schema: string; name: string }

/** A column of an entity's table. `sqlType` is PostgreSQL's name of it, as in `format_type`. */
export type StoredColumn = { name: string; sqlType: string }

/** Column of undeclared fields, null when a record has none. No property can be named so. */
export const EXTRA_COLUMN = '$extra'

/** Columns that `auditable` adds, in this order. */
export const AUDIT_FIELDS = ['CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy'] as const

/**
 * An installed entity as requests meet it: definition and schema merged, from the registry.
 * `properties` are all served fields in order: keys, declared properties, audit fields.
 */
export type Entity = {
  name: string
  pluginId: string | null
  definition: EntityDefinition
  schema: SchemaDefinition | null
  table: TableName
  properties: Property[]
  /** Names of the key properties, in order. */
  keys: string[]
  /** Undeclared fields are kept (in EXTRA_COLUMN). */
  open: boolean
  /** Undeclared names seen so far. */
  extraFields: string[]
}

/** Undeclared names that are remembered for an entity; fields beyond are kept, but not searchable. */
export const MAX_EXTRA_FIELDS = 1_000
