import type { Kind } from '@/lib/kinds/kind'
import type { Json } from '@/lib/values/json'
import type { EntityDisplay, FieldDisplay } from './display'
import type { TextSearch } from './text-search'

/**
 * The normalised forms of what plugins define: every default filled in, every alias resolved.
 * They are what the registry stores and the rest of the engine works with.
 */

/** What happens to the records that refer to one that is deleted; by default they prevent it. */
export const ON_DELETE = ['restrict', 'cascade', 'setNull'] as const
export type OnDelete = (typeof ON_DELETE)[number]

export type FieldReference = {
  entity: string
  field: string
  /** Further fields that identify the record together with this one: own names to the target's. */
  with?: Record<string, string>
  onDelete?: Exclude<OnDelete, 'restrict'>
  /** What the referring records are called from the other side. */
  inverse?: string
}

export type Rules = {
  required: boolean
  unique: boolean
  indexed: boolean
  /** Has a trigram index, which makes `contains`, `ilike` and similar operators fast. */
  searchable: boolean
  /** The text search of the entity looks in it. */
  textSearch?: TextSearch
  default?: Json
  /** The default is made when a record is stored: the time, or a UUID of its own. */
  generates?: 'now' | 'uuid'
  length?: number
  minLength?: number
  maxLength?: number
  min?: number
  max?: number
  /** In RE2 syntax, which matches in linear time. */
  pattern?: string
  enum?: Json[]
  /** `email`, `url`, `uuid`, `phone`: a check on text beyond the type. */
  format?: string
  /** What the text is written in, such as `text/markdown`; it is not checked. */
  contentMediaType?: string
  reference?: FieldReference
  /** An expression of other fields, which gives the value; the field can't be written. */
  computed?: string
}

export type Property = {
  /** Field name in records and column name in the table, case-sensitive. */
  name: string
  /** The declared type in lower case (`Date` with a capital is `datetime`). */
  type: string
  kind: Kind
  /** The type of a plugin with which it was declared, and whose rules it has copied. */
  ofType?: string
  label?: string
  description?: string
  /** A value that the rules allow, for documentation. */
  example?: Json
  /** Former names, whose column and values it takes over. */
  renamedFrom?: string[]
  /** How people see its values. */
  display?: FieldDisplay
  rules: Rules
}

export type SchemaDefinition = {
  name: string
  label?: string
  description?: string
  /** Keeps undeclared fields; otherwise a record with such a field fails. */
  additionalProperties: boolean
  properties: Property[]
  unique?: UniqueRule[]
}

export type TypeDefinition = { name: string; baseType: string; meta: Record<string, Json> }

type KeyStrategy = 'AutoIncrement' | 'UUID' | 'Fixed'
export type KeyDefinition = {
  key: string
  strategy: KeyStrategy
  type: 'number' | 'string'
  /** Former names; the schema's property of this name may say them too. */
  renamedFrom?: string[]
}
export type InsertDuplicate = 'Error' | 'Upsert' | 'Ignore'
export type UpdateStrategy = 'Upsert' | 'Replace'
/** `name`: of a unique rule, for messages about it. */
export type IndexDefinition = { fields: string[]; unique: boolean; name?: string }
/** Fields that are unique together, as a schema says it. */
export type UniqueRule = { fields: string[]; name?: string }

/** What an added index is for: equality, ranges and sorts; parts of texts; equality inside JSON. */
export const INDEX_KINDS = ['btree', 'trigram', 'json'] as const
export type IndexKind = (typeof INDEX_KINDS)[number]

/** A field as an index holds it: by its exact value, or in the order in which it is sorted. */
export type IndexUse = 'equal' | 'sort'

export type AddedPart = {
  /** The name in searches. */
  field: string
  column: string
  /** The key inside the column's JSON; empty for the column itself. */
  path: string[]
  use: IndexUse
  /** Of sorted JSON values; an index on a column serves both directions. */
  descending?: boolean
}

/** An index that was created for an entity besides those of its definition. */
export type AddedIndex = {
  kind: IndexKind
  unique: boolean
  parts: AddedPart[]
  createdAt: string
  /** When it was found to be complete; absent before. */
  readyAt?: string
  /** Why it could not be built; it has no effect then. */
  error?: string
}

/**
 * Where a database of several nodes keeps the records: on one of them by the hash of the key `by`, beside those
 * of the entity `with` that have the same value; copied to every node; or on the coordinator.
 */
export type Distribution = 'local' | 'reference' | { by: string; with?: string }

export type EntityDefinition = {
  name: string
  description?: string
  /** Former names, whose table and records it takes over. */
  renamedFrom?: string[]
  /** Name of the schema; null: the schema named like the entity, or free-form without one. */
  engineSchema: string | null
  table: TableName
  keys: KeyDefinition[]
  insertDuplicate: InsertDuplicate
  updateStrategy: UpdateStrategy
  permissions: { read: boolean; write: boolean; update: boolean; delete: boolean }
  auditable: boolean
  /** Every version of its records is kept; absent: none. */
  history?: true
  /** Changes of its records can be followed; absent: not. */
  events?: true
  /** Its records link those of two others, or of one, by its two references; absent: they do not. */
  link?: true
  indexes: IndexDefinition[]
  /** How people see its records. */
  display?: EntityDisplay
  /** Absent: the records stay where they are; those of a new entity are local. */
  distribution?: Distribution
}

export type TableName = { schema: string; name: string }

/** A column of an entity's table. `sqlType` is PostgreSQL's name as in `format_type`. */
export type StoredColumn = { name: string; sqlType: string }

/** Column of undeclared fields, null in records without any. No property can have this name. */
export const EXTRA_COLUMN = '$extra'

/** Columns that `auditable` adds, in this order. */
export const AUDIT_FIELDS = ['CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy'] as const

/**
 * An installed entity as requests use it: definition and schema merged, from the registry.
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
  /** Keeps undeclared fields (in EXTRA_COLUMN). */
  open: boolean
  /** The undeclared names seen so far. */
  extraFields: string[]
  /** Of its lists of linked records, which files can't write: no new undeclared field gets such a name. Absent: unknown. */
  listNames?: readonly string[]
  /** Of the stored definition, see `isCurrent`; absent when it is not read from the registry. */
  version?: string
  addedIndexes: AddedIndex[]
  /** Its records are on the nodes of a cluster: statements that several nodes can't share are avoided. */
  isDistributed?: boolean
}

/** Undeclared names remembered for an entity; fields beyond that are kept, but not searchable. */
export const MAX_EXTRA_FIELDS = 1_000
