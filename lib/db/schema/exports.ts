import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, engine, instant } from './engine'
import { apiKeys, users } from './users'

const size = (name: string) => bigint(name, { mode: 'number' })

export const EXPORT_STATUSES = ['WAITING', 'RUNNING', 'READY', 'FAILED', 'CANCELLED'] as const

/** Exports that are prepared in the background; their files wait here until they expire. */
export const backgroundExports = engine.table(
  'exports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Null where a key with roles of its own asked for it: then it is that key's. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** Of the key that asked for it; null for all rights of the owner. */
    scopes: jsonb('scopes').$type<string[]>(),
    /** Digest of the rights that the file was made with; null while there is none. */
    rights: text('rights'),
    /** Email or key name at the time. */
    createdBy: text('created_by').notNull(),
    entity: text('entity').notNull(),
    format: text('format', { enum: ['csv', 'json', 'xlsx'] }).notNull(),
    bom: boolean('bom').notNull().default(false),
    /** JSON of the search; numbers in it are marked, see `exact-numbers.ts`. */
    body: text('body').notNull(),
    status: text('status', { enum: EXPORT_STATUSES }).notNull().default('WAITING'),
    /** Why it failed. */
    error: text('error'),
    doneRows: size('done_rows').notNull().default(0),
    /** Null while it is not known. */
    totalRows: size('total_rows'),
    /** Of the parts so far. */
    bytes: size('bytes').notNull().default(0),
    /** How often it was begun. */
    attempts: integer('attempts').notNull().default(0),
    /** The run that prepares it; nothing is written for another one. */
    holder: uuid('holder'),
    /** When any process may take it up: at once, after a failure, or when its holder is silent. */
    dueAt: instant('due_at').notNull().defaultNow(),
    createdAt: createdAt(),
    completedAt: instant('completed_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('exports_owner').on(t.ownerId, t.createdAt.desc()),
    index('exports_key').on(t.keyId),
    index('exports_due').on(t.dueAt).where(sql`status in ('WAITING', 'RUNNING')`),
    index('exports_expiry').on(t.expiresAt),
  ],
)
export type ExportRow = typeof backgroundExports.$inferSelect

/** The file of an export, in order. */
export const exportParts = engine.table(
  'export_parts',
  {
    exportId: uuid('export_id')
      .notNull()
      .references(() => backgroundExports.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.exportId, t.position] })],
)
