import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/functions'
import { USER_STATUSES } from '@/lib/users/status'
import type { JsonObject } from '@/lib/values/json'
import { createdAt, instant, updatedAt } from './columns'
import { engine } from './engine'

/** People. `email` is unique (case-insensitive); `passwordHash` is an encoded argon2id string. */
export const users = engine.table(
  'users',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    roles: text('roles').array().notNull(),
    profile: jsonb('profile').$type<JsonObject>().notNull().default({}),
    status: text('status', { enum: USER_STATUSES }).notNull(),
    /** Increased to end every session of the user immediately. */
    sessionVersion: integer('session_version').notNull().default(1),
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    activatedAt: instant('activated_at'),
    lastSignInAt: instant('last_sign_in_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('users_email_unique').on(lower(t.email)),
    check(
      'users_status_known',
      sql`${t.status} in ('REQUIRED_ACTIVATION', 'ACTIVATED', 'REQUIRED_RESET_PASSWORD', 'DISABLED')`,
    ),
  ],
)
export type UserRow = typeof users.$inferSelect

/**
 * Activation and reset links: only the SHA-256 of the token is kept; one valid token per user and
 * kind.
 */
export const userTokens = engine.table(
  'user_tokens',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['activation', 'reset'] }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('user_tokens_one_a_kind').on(t.userId, t.kind),
    index('user_tokens_expiry').on(t.expiresAt),
  ],
)
