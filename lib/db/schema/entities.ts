import { sql } from 'drizzle-orm'
import { jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/functions'
import type {
  AddedIndex,
  EntityDefinition,
  SchemaDefinition,
  StoredColumn,
  TypeDefinition,
} from '@/lib/definitions/definition'
import { createdAt, updatedAt } from './columns'
import { engine } from './engine'

/**
 * The registry of entities and their tables: no DDL and no search reaches a table without a row
 * here.
 */
export const entities = engine.table(
  'entities',
  {
    name: text('name').primaryKey(),
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<EntityDefinition>().notNull(),
    tableSchema: text('table_schema').notNull(),
    tableName: text('table_name').notNull(),
    /** Every column the table has, dropped properties included: their data stays. */
    columns: jsonb('columns').$type<StoredColumn[]>().notNull().default([]),
    /** Names of undeclared fields seen in records, so that they can be searched. */
    extraFields: text('extra_fields').array().notNull().default(sql`'{}'`),
    /** Indexes besides those of the definition; kept when the definition changes. */
    addedIndexes: jsonb('added_indexes').$type<AddedIndex[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('entities_name_unique').on(lower(t.name)),
    uniqueIndex('entities_table_unique').on(t.tableSchema, t.tableName),
  ],
)
export type EntityRow = typeof entities.$inferSelect

export const schemas = engine.table(
  'schemas',
  {
    name: text('name').primaryKey(),
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<SchemaDefinition>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('schemas_name_unique').on(lower(t.name))],
)

/** Property types that plugins define on top of the built-in ones. */
export const entityTypes = engine.table(
  'types',
  {
    name: text('name').primaryKey(),
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<TypeDefinition>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('types_name_unique').on(lower(t.name))],
)
