import { index, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from './columns'
import { engine } from './engine'
import { users } from './users'

/** Keys of external clients: a visible prefix and a SHA-256, never the key itself. */
export const apiKeys = engine.table(
  'api_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique(),
    /** `Entity:action`; null: everything its owner may do. */
    scopes: text('scopes').array(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [index('api_keys_owner').on(t.ownerId), index('api_keys_prefix').on(t.prefix)],
)
export type ApiKeyRow = typeof apiKeys.$inferSelect
