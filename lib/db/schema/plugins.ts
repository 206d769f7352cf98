import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  jsonb,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { FaultGroup, FileDetail } from '@/lib/definitions/definition-faults'
import type { Json, JsonObject } from '@/lib/values/json'
import { createdAt, engine, instant, updatedAt } from './engine'
import type { InstallSignature, Signer } from './publishers'

/** A definition of a plugin. */
export type DefinitionName = {
  kind: 'type' | 'schema' | 'entity' | 'role' | 'policy' | 'webhook'
  name: string
}

/**
 * Plugins with at least one file installed. `manifest` is engineplugin.json as it came. `defines`: what its last install
 * defined, whoever owned it before; null: not known, of installs before this was kept.
 */
export const plugins = engine.table('plugins', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  version: text('version'),
  description: text('description'),
  author: text('author'),
  license: text('license'),
  image: text('image'),
  manifest: jsonb('manifest').$type<JsonObject>().notNull(),
  defines: jsonb('defines').$type<DefinitionName[]>(),
  /** Null: its archive was not signed by a trusted key. */
  signer: jsonb('signer').$type<Signer>(),
  lastHistoryId: bigint('last_history_id', { mode: 'number' }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const INSTALL_STATUSES = ['IN_PROGRESS', 'SUCCESS', 'PARTIAL', 'FAILED'] as const

/** What happened to a plugin. `restore`: it came back from the trash. */
export const INSTALL_KINDS = ['install', 'uninstall', 'restore', 'rollback'] as const

/** One row per install, written before anything else happens; always ends in a final status. */
export const installs = engine.table(
  'installs',
  {
    /** Serial: the number in responses and addresses. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    kind: text('kind', { enum: INSTALL_KINDS }).notNull().default('install'),
    pluginId: text('plugin_id'),
    pluginName: text('plugin_name'),
    version: text('version'),
    /** The install that this rollback undid. */
    rollbackOf: bigint('rollback_of', { mode: 'number' }),
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
    /** Null: not an install, or of before signatures were read. */
    signature: jsonb('signature').$type<InstallSignature>(),
    /** Who cancelled it: email, or key name. */
    cancelledBy: text('cancelled_by'),
    totalFiles: integer('total_files').notNull().default(0),
    processedFiles: integer('processed_files').notNull().default(0),
    successCount: integer('success_count').notNull().default(0),
    failedCount: integer('failed_count').notNull().default(0),
    recordCount: integer('record_count').notNull().default(0),
    /** Of all files, at most 100 of each. */
    warningCount: integer('warning_count').notNull().default(0),
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

/** `groups`: the faults of those that failed, by rule. */
export type StoredCounts = RecordCounts & { groups?: FaultGroup[] }

/** Of the records that a file gave before and gives no longer. */
export type RemovedCounts = { total: number; deleted: number }

/** Of the records of a file that were deleted here: those that stay deleted, and those that were created again. */
export type DeletedCounts = { kept: number; restored: number }

/**
 * A record that was changed here since the plugin gave it, and by the plugin too. `base`: as the plugin
 * last gave it; `ours`: as it is; `theirs`: as the archive has it.
 */
export type RecordConflict = {
  key: Json
  /** What happened to it here: fields were edited, or it was deleted. */
  change: 'edited' | 'deleted'
  decision: 'keep' | 'take'
  fields: { field: string; base: Json; ours: Json; theirs: Json }[]
}

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
    records: jsonb('records').$type<StoredCounts>().notNull(),
    /** Records that were changed here and by the plugin; the first 100. */
    conflicts: jsonb('conflicts').$type<RecordConflict[]>().notNull().default([]),
    conflictCount: integer('conflict_count').notNull().default(0),
    /** Records that the file gave before and gives no longer, and how many of them were deleted. */
    removed: jsonb('removed').$type<RemovedCounts>().notNull().default({ total: 0, deleted: 0 }),
    /** Records of the file that were deleted here. */
    deleted: jsonb('deleted').$type<DeletedCounts>().notNull().default({ kept: 0, restored: 0 }),
    durationMs: integer('duration_ms').notNull(),
  },
  (t) => [uniqueIndex('install_files_path').on(t.installId, t.path)],
)
