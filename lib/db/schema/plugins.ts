import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { FileDetail } from '@/lib/definitions/file-detail'
import type { JsonObject } from '@/lib/values/json'
import { createdAt, instant, updatedAt } from './columns'
import { engine } from './engine'

/** Plugins with at least one file installed. `manifest` is engineplugin.json as it came. */
export const plugins = engine.table('plugins', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  version: text('version'),
  description: text('description'),
  author: text('author'),
  license: text('license'),
  image: text('image'),
  manifest: jsonb('manifest').$type<JsonObject>().notNull(),
  lastHistoryId: bigint('last_history_id', { mode: 'number' }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const INSTALL_STATUSES = ['IN_PROGRESS', 'SUCCESS', 'PARTIAL', 'FAILED'] as const

/** One row per install, written before anything else happens; always ends in a final status. */
export const installs = engine.table(
  'installs',
  {
    /** Serial: the number in responses and addresses. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    pluginId: text('plugin_id'),
    pluginName: text('plugin_name'),
    version: text('version'),
    /** Name of the uploaded file, as the client gave it. */
    source: text('source').notNull(),
    /** Hex, of the archive's bytes. */
    sha256: text('sha256').notNull(),
    mode: text('mode', { enum: ['partial', 'atomic'] })
      .notNull()
      .default('partial'),
    status: text('status', { enum: INSTALL_STATUSES }).notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    completedAt: instant('completed_at'),
    durationMs: integer('duration_ms').generatedAlwaysAs(
      sql`(extract(epoch from (completed_at - started_at)) * 1000)::int`,
    ),
    installedBy: text('installed_by'),
    totalFiles: integer('total_files').notNull().default(0),
    processedFiles: integer('processed_files').notNull().default(0),
    successCount: integer('success_count').notNull().default(0),
    failedCount: integer('failed_count').notNull().default(0),
    recordCount: integer('record_count').notNull().default(0),
    /**
     * The files to install, in order; empty when the install is over. Used to close the install of
     * a dead process.
     */
    planned: jsonb('planned')
      .$type<{ path: string; target: string | null }[]>()
      .notNull()
      .default([]),
    /** Why the install as a whole failed; errors of single files are with the files. */
    errors: jsonb('errors').$type<string[]>().notNull().default([]),
  },
  (t) => [
    index('installs_started').on(t.startedAt.desc(), t.id),
    index('installs_plugin').on(t.pluginId),
    index('installs_open').on(t.id).where(sql`status = 'IN_PROGRESS'`),
    check('installs_terminal', sql`(${t.status} = 'IN_PROGRESS') = (${t.completedAt} is null)`),
  ],
)
export type InstallRow = typeof installs.$inferSelect

export const FILE_STATUSES = ['created', 'updated', 'unchanged', 'failed', 'ignored'] as const

export type RecordCounts = { created: number; updated: number; unchanged: number; failed: number }

/**
 * One row per file of the archive, in the order of processing; written with the file's own effects.
 */
export const installFiles = engine.table(
  'install_files',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    installId: bigint('install_id', { mode: 'number' })
      .notNull()
      .references(() => installs.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    target: text('target'),
    status: text('status', { enum: FILE_STATUSES }).notNull(),
    /** The verdict's name: `Conflict Issue!`, `Missing dependency`, … */
    error: text('error'),
    /** The first 100; `detailCount` is the number of all. */
    details: jsonb('details').$type<FileDetail[]>().notNull().default([]),
    detailCount: integer('detail_count').notNull().default(0),
    /** The warnings; at most 100. */
    warnings: jsonb('warnings').$type<FileDetail[]>().notNull().default([]),
    /** Changes of tables, as texts, and other notes. */
    changes: jsonb('changes').$type<string[]>().notNull().default([]),
    records: jsonb('records').$type<RecordCounts>().notNull(),
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [uniqueIndex('install_files_path').on(t.installId, t.path)],
)

/** Data files of plugins with records without keys. `id`: a digest of the other three. */
export const givenFiles = engine.table(
  'given_files',
  {
    id: uuid('id').primaryKey(),
    pluginId: text('plugin_id').notNull(),
    /** In the plugin's folder. */
    path: text('path').notNull(),
    entity: text('entity').notNull(),
  },
  (t) => [index('given_files_plugin').on(t.pluginId)],
)

/**
 * The keys generated for records without one, by their content in the file: another install of the
 * file finds them again. Written with the records.
 */
export const givenRecords = engine.table(
  'given_records',
  {
    fileId: uuid('file_id')
      .notNull()
      .references(() => givenFiles.id, { onDelete: 'cascade' }),
    /** Of the record's fields. */
    digest: uuid('digest').notNull(),
    /** How many records of the file with the same digest precede it. */
    ordinal: integer('ordinal').notNull(),
    /** Every part of the key, by name. */
    key: jsonb('key').$type<JsonObject>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.fileId, t.digest, t.ordinal] })],
)
