import { index, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, engine } from './engine'

/** Responses to POSTs with an Idempotency-Key, kept for a day. */
export const idempotencyKeys = engine.table(
  'idempotency_keys',
  {
    /** The user or API key that sent it: keys of different callers never conflict. */
    ownerId: text('owner_id').notNull(),
    /** Hex SHA-256 of the key. */
    keyHash: text('key_hash').notNull(),
    /** Hex HMAC-SHA-256 of method, address and content of the request. */
    fingerprint: text('fingerprint').notNull(),
    /** Sealed, since the response may hold a secret; null while the request is being processed. */
    response: text('response'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.keyHash] }),
    index('idempotency_keys_created').on(t.createdAt),
  ],
)
