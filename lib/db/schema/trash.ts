import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type {
  Property,
  SchemaDefinition,
  StoredColumn,
  TableName,
} from '@/lib/definitions/definition'
import type { Json, JsonObject } from '@/lib/values/json'
import { engine, instant } from './engine'

/** Rows of the engine's own tables, column → value, by which they are inserted again. */
type Rows = JsonObject[]

/** A table of an uninstalled plugin, and the schema definition that it was made by. */
export type RemovedTable = {
  entity: string
  home: TableName
  /** The database schema where it is now. */
  away: string
  schema: SchemaDefinition | null
  records: number
}

/** What uninstalling plugins took away; `kept`: what stays, without an owner. */
export type RemovedPlugins = {
  plugins: Rows
  entities: Rows
  schemas: Rows
  types: Rows
  roles: Rows
  policies: Rows
  /** Without addresses and secrets; earlier versions had none. */
  webhooks?: Rows
  tables: RemovedTable[]
  kept: { kind: 'entities' | 'schemas' | 'types'; name: string; pluginId: string }[]
  /** What is remembered of its records is put aside when their names are taken again; earlier versions forgot it. */
  remembers?: true
}

/** Deletions, edits and imports of many records, and changes of policies and roles, that can be undone until they expire. */
export const trashBatches = engine.table(
  'trash_batches',
  {
    id: uuid('id').primaryKey(),
    /** Of plugins: the id of the first; of a policy or a role: its name. */
    entity: text('entity').notNull(),
    kind: text('kind', { enum: ['records', 'plugin', 'edit', 'import', 'policy', 'role'] })
      .notNull()
      .default('records'),
    /** Of the records that are still here. */
    recordCount: integer('record_count').notNull(),
    /** Of an import: those of them that it created. */
    createdCount: integer('created_count').notNull().default(0),
    /** The columns of the table at the time, to read the values by. */
    columns: jsonb('columns').$type<StoredColumn[]>().notNull(),
    /** The key fields at the time. */
    keys: jsonb('keys').$type<string[]>().notNull(),
    /** The fields that were served at the time, with the rules that their values passed. */
    properties: jsonb('properties').$type<Property[]>().notNull(),
    /** Of plugins. */
    removed: jsonb('removed').$type<RemovedPlugins>(),
    /** Email or key name at the time. */
    deletedBy: text('deleted_by').notNull(),
    deletedAt: instant('deleted_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** The batch whose deletion took these records along, by references; they are restored with it. */
    rootId: uuid('root_id'),
    /** Order among the batches of one deletion: records follow those that they refer to. */
    position: integer('position').notNull().default(0),
    /** The field that lost its reference: then the batch holds keys and values, of records that stayed. */
    detached: text('detached'),
  },
  (t) => [
    index('trash_batches_deleted').on(t.deletedAt.desc(), t.id),
    index('trash_batches_expiry').on(t.expiresAt),
    index('trash_batches_root').on(t.rootId).where(sql`root_id is not null`),
  ],
)
export type TrashBatchRow = typeof trashBatches.$inferSelect

/** Why a record could not be restored. */
export type TrashProblem = {
  reason:
    | 'key-taken'
    | 'unique-taken'
    | 'reference-gone'
    | 'does-not-fit'
    | 'changed-since'
    | 'record-gone'
    | 'still-referenced'
  fields: string[]
  value: Json
}

/**
 * The deleted records, and former values of edited ones. Without a foreign key to their batch, which would be checked row by row;
 * both are always written and removed together.
 */
export const trashRecords = engine.table(
  'trash_records',
  {
    batchId: uuid('batch_id').notNull(),
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity(),
    /** Column name → value, as the table had them; of edits and imports as `KeptEdit` says. */
    data: jsonb('data').notNull(),
    /** Of the last attempt to restore it. */
    problem: jsonb('problem').$type<TrashProblem>(),
  },
  (t) => [primaryKey({ columns: [t.batchId, t.id] })],
)
