import { sql } from 'drizzle-orm'
import { index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, engine, instant } from './engine'
import { PROMOTION_STATUSES } from './promotion-states'
import { apiKeys, users } from './users'

/** Other engines, from which something is brought here, or to which it is sent. */
export const otherServers = engine.table(
  'servers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** The API key there, encrypted. */
    key: text('key').notNull(),
    /** Email or key name at the time. */
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('servers_name').on(sql`lower(${t.name})`)],
)
export type ServerRow = typeof otherServers.$inferSelect

/** What a promotion brings, and how it decides. */
export type PromotionRequest = {
  records: 'all' | 'none'
  /** Whose records; null: those of all. */
  entities: string[] | null
  /** Entity → filter that its records match. */
  where: Record<string, string>
  onConflict: 'keep' | 'take' | 'fail'
}

type Item = Record<string, unknown>

/** What a promotion has done so far, which is what undoes it. */
export type PromotionSteps = {
  installs: { plugin: string; after: number; history: number | null; sha256?: string }[]
  settings: Record<string, { before: Item[]; written: Item[] }>
  /** What was found at the target before anything was written there. */
  expected?: {
    plugins: Record<string, Record<string, string> | null>
    settings: {
      change: 'create' | 'change'
      name: string
      missing: string | null
      was: string | null
    }[]
    renames: boolean
  }
}

/** Plans to bring what one server has to another, and what came of them. */
export const promotions = engine.table(
  'promotions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    serverId: uuid('server_id').references(() => otherServers.id, { onDelete: 'set null' }),
    /** As it was at the time. */
    serverName: text('server_name').notNull(),
    direction: text('direction', { enum: ['pull', 'push'] }).notNull(),
    request: jsonb('request').$type<PromotionRequest>().notNull(),
    status: text('status', { enum: PROMOTION_STATUSES }).notNull().default('PLANNING'),
    /** In the form of the room `servers`; null until it is made. */
    plan: jsonb('plan').$type<object>(),
    /** Of the plan. */
    seal: text('seal'),
    /** Digests of what the source has of each part of the plan. */
    sources: jsonb('sources').$type<Record<string, string>>().notNull().default({}),
    steps: jsonb('steps').$type<PromotionSteps>().notNull().default({ installs: [], settings: {} }),
    /** In words, what was done, and what was undone. */
    done: text('done').array().notNull().default([]),
    undone: text('undone').array().notNull().default([]),
    /** Why it has stopped. */
    error: text('error'),
    /** Whose rights it has here: a person's, or those of a key. One is null, both once it was deleted. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    /** Of the key that asked for it; null for all rights of the owner. */
    scopes: jsonb('scopes').$type<string[]>(),
    /** Email or key name at the time. */
    createdBy: text('created_by').notNull(),
    /** How often its current work was begun. */
    attempts: integer('attempts').notNull().default(0),
    /** The run that works on it; nothing is written for another one. */
    holder: uuid('holder'),
    /** When any process may take it up: at once, after a failure, or when its holder is silent. */
    dueAt: instant('due_at').notNull().defaultNow(),
    createdAt: createdAt(),
    /** When the plan began to be carried out. */
    startedAt: instant('started_at'),
    completedAt: instant('completed_at'),
  },
  (t) => [
    index('promotions_created').on(t.createdAt),
    index('promotions_server').on(t.serverId),
    index('promotions_owner').on(t.ownerId),
    index('promotions_key').on(t.keyId),
  ],
)
export type PromotionRow = typeof promotions.$inferSelect
