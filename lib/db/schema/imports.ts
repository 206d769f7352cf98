import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { FaultGroup } from '@/lib/definitions/definition-faults'
import { bytea, createdAt, engine, instant } from './engine'
import { apiKeys, users } from './users'

const size = (name: string) => bigint(name, { mode: 'number' })

export const IMPORT_FORMATS = ['csv', 'xlsx', 'json', 'jsonl'] as const
export const IMPORT_MODES = ['create', 'update', 'upsert'] as const
/** `UNDONE`: it was done, and nothing of it is left. */
export const IMPORT_STATUSES = [
  'WAITING',
  'RUNNING',
  'DONE',
  'FAILED',
  'CANCELLED',
  'UNDONE',
] as const

/** What a column of a file became. */
export type ImportColumn = {
  column: string
  /** Null: it was left out. */
  field: string | null
  by: 'name' | 'likeness' | 'mapping' | 'ignored'
  /** Why it was left out. */
  reason: string | null
}

/** Imports of files into entities, those that run and those that are over. */
export const imports = engine.table(
  'imports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Null where a key with roles of its own asked for it: then it is that key's. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** Email or key name at the time. */
    createdBy: text('created_by').notNull(),
    entity: text('entity').notNull(),
    fileName: text('file_name').notNull(),
    format: text('format', { enum: IMPORT_FORMATS }).notNull(),
    mode: text('mode', { enum: IMPORT_MODES }).notNull(),
    /** The fields by which stored records are found. */
    key: jsonb('key').$type<string[]>().notNull(),
    isDryRun: boolean('is_dry_run').notNull(),
    isPartial: boolean('is_partial').notNull(),
    columns: jsonb('columns').$type<ImportColumn[]>().notNull(),
    status: text('status', { enum: IMPORT_STATUSES }).notNull().default('WAITING'),
    /** Why it failed. */
    error: text('error'),
    totalBytes: size('total_bytes').notNull(),
    doneBytes: size('done_bytes').notNull().default(0),
    doneRows: size('done_rows').notNull().default(0),
    created: size('created').notNull().default(0),
    updated: size('updated').notNull().default(0),
    unchanged: size('unchanged').notNull().default(0),
    refused: size('refused').notNull().default(0),
    groups: jsonb('groups').$type<FaultGroup[]>().notNull().default([]),
    /** Rows in the file of refused ones, which holds the first of very many. */
    refusedRows: size('refused_rows').notNull().default(0),
    /** Of that file. */
    refusedBytes: size('refused_bytes').notNull().default(0),
    /** What the trash keeps of it, by which it can be undone. */
    batchId: uuid('batch_id'),
    /** The run that carries it out; null when it is over. */
    holder: uuid('holder'),
    /** When a run that has said nothing since counts as dead. */
    dueAt: instant('due_at').notNull(),
    createdAt: createdAt(),
    completedAt: instant('completed_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('imports_owner').on(t.ownerId, t.createdAt.desc()),
    index('imports_key').on(t.keyId),
    index('imports_due').on(t.dueAt).where(sql`status in ('WAITING', 'RUNNING')`),
    index('imports_expiry').on(t.expiresAt),
  ],
)
export type ImportRow = typeof imports.$inferSelect

/** The refused rows of an import as a file, in order. */
export const importParts = engine.table(
  'import_parts',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.position] })],
)
