import { boolean, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from './columns'
import { engine } from './engine'
import { users } from './users'

/**
 * Sign-ins of browsers that have not ended. A session cookie names its row and is refused without it, so that
 * deleting the row ends the session.
 */
export const sessions = engine.table(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of the user at the sign-in; a session of an older version has ended. */
    version: integer('version').notNull(),
    /** A second factor was checked: otherwise the session is refused once the user has one. */
    strong: boolean('strong').notNull(),
    /** When the user last proved their identity for changes of second factors. */
    confirmedAt: instant('confirmed_at'),
    /** Of the browser at the sign-in, cut at 512 characters. */
    userAgent: text('user_agent'),
    /** Of the caller at the sign-in. */
    address: text('address'),
    createdAt: createdAt(),
    /** Written at most once a minute. */
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
  },
  (t) => [
    index('sessions_user').on(t.userId, t.lastSeenAt),
    index('sessions_seen').on(t.lastSeenAt),
  ],
)
export type SessionRow = typeof sessions.$inferSelect
