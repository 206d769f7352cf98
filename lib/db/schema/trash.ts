import { bigint, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Property, StoredColumn } from '@/lib/definitions/definition'
import type { Json } from '@/lib/values/json'
import { instant } from './columns'
import { engine } from './engine'

/** Deletions that can be undone until they expire. */
export const trashBatches = engine.table(
  'trash_batches',
  {
    id: uuid('id').primaryKey(),
    entity: text('entity').notNull(),
    /** Of the records that are still here. */
    recordCount: integer('record_count').notNull(),
    /** The columns of the table at the time, to read the values by. */
    columns: jsonb('columns').$type<StoredColumn[]>().notNull(),
    /** The key fields at the time. */
    keys: jsonb('keys').$type<string[]>().notNull(),
    /** The fields that were served at the time, with the rules that their values passed. */
    properties: jsonb('properties').$type<Property[]>().notNull(),
    /** E-mail or key name at the time. */
    deletedBy: text('deleted_by').notNull(),
    deletedAt: instant('deleted_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('trash_batches_deleted').on(t.deletedAt.desc(), t.id),
    index('trash_batches_expiry').on(t.expiresAt),
  ],
)
export type TrashBatchRow = typeof trashBatches.$inferSelect

/** Why a record could not be restored. */
export type TrashProblem = {
  reason: 'key-taken' | 'unique-taken' | 'reference-gone' | 'does-not-fit'
  fields: string[]
  value: Json
}

/**
 * The deleted records. Without a foreign key to their batch, which would be checked row by row;
 * both are always written and removed together.
 */
export const trashRecords = engine.table(
  'trash_records',
  {
    batchId: uuid('batch_id').notNull(),
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity(),
    /** Column name → value, as the table had them. */
    data: jsonb('data').notNull(),
    /** Of the last attempt to restore it. */
    problem: jsonb('problem').$type<TrashProblem>(),
  },
  (t) => [primaryKey({ columns: [t.batchId, t.id] })],
)
