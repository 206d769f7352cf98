import { sql } from 'drizzle-orm'
import { bigint, index, text, uuid } from 'drizzle-orm/pg-core'
import { bigId, engine, instant, regclass } from './engine'
import { apiKeys, users } from './users'

/** What people and keys remark on records. */
export const recordComments = engine.table(
  'record_comments',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The table of the entity, which stays the same when either is renamed or the plugin is in the trash. */
    relation: regclass('relation').notNull(),
    /** The `persistenceId`; of a key with several parts, which names its fields, the list of their texts. */
    key: text('key').notNull(),
    /** An index holds no text as long as a key may be. */
    keyHash: bigint('key_hash', { mode: 'bigint' })
      .notNull()
      .generatedAlwaysAs(sql`hashtextextended(key, 0)`),
    /** The order of the comments of a record. */
    number: bigId('number').generatedAlwaysAsIdentity(),
    text: text('text').notNull(),
    /** Null for a key, and once the account is erased. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    authorKeyId: uuid('author_key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    authorType: text('author_type', { enum: ['user', 'api_key'] }).notNull(),
    /** Email or key name at the time. */
    authorName: text('author_name').notNull(),
    /** The users who got a mail about it. */
    mentioned: uuid('mentioned').array().notNull().default(sql`'{}'`),
    createdAt: instant('created_at').notNull().default(sql`clock_timestamp()`),
    editedAt: instant('edited_at'),
  },
  (t) => [
    index('record_comments_record').on(t.relation, t.keyHash, t.number),
    index('record_comments_author').on(t.authorId),
    index('record_comments_author_key').on(t.authorKeyId),
  ],
)
export type CommentRow = typeof recordComments.$inferSelect
