import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/sql'
import { USER_STATUSES } from '@/lib/users/status'
import type { JsonObject } from '@/lib/values/json'
import { createdAt, engine, instant, updatedAt } from './engine'

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
    /** The same by a code or a passkey, not by the password. */
    factorConfirmedAt: instant('factor_confirmed_at'),
    /** Of the browser at the sign-in, cut at 512 characters. */
    userAgent: text('user_agent'),
    /** Of the caller at the sign-in. */
    address: text('address'),
    /** The provider, as `oidc:<name>`; null for a password or a passkey of this server. */
    signedInBy: text('signed_in_by'),
    /** The session at the provider, if it told one. */
    providerSession: text('provider_session'),
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

/** Accounts at providers by which users sign in: known by issuer and subject, never by the email. */
export const externalIdentities = engine.table(
  'external_identities',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Its name in the settings when the identity was last used. */
    provider: text('provider').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** As the provider said at the last sign-in; for display only. */
    email: text('email'),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    uniqueIndex('external_identities_subject').on(t.issuer, t.subject),
    index('external_identities_user').on(t.userId),
  ],
)
export type ExternalIdentityRow = typeof externalIdentities.$inferSelect

/** Keys of external clients: a visible prefix and a SHA-256, never the key itself. */
export const apiKeys = engine.table(
  'api_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique(),
    /** `Entity:action`; null: everything its owner may do, or its own roles allow. */
    scopes: text('scopes').array(),
    /** Of its own; null: those of its owner. */
    roles: text('roles').array(),
    /** Whom it acts as; null for a key with roles of its own. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('api_keys_owner').on(t.ownerId),
    index('api_keys_prefix').on(t.prefix),
    check('api_keys_owner_or_roles', sql`(${t.ownerId} is null) = (${t.roles} is not null)`),
  ],
)
export type ApiKeyRow = typeof apiKeys.$inferSelect
