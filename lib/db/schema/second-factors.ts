import { bigint, boolean, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { JsonObject } from '@/lib/values/json'
import { createdAt, engine, instant } from './engine'
import { users } from './users'

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Authenticator apps: one for each user. */
export const totpFactors = engine.table('totp_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted. */
  secret: text('secret').notNull(),
  /** The time step of the last code that was accepted: it and earlier ones are refused. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull(),
  createdAt: createdAt(),
  lastUsedAt: instant('last_used_at'),
})

/** WebAuthn credentials that a device can find by itself; the private key stays with the device. */
export const passkeys = engine.table(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    name: text('name').notNull(),
    /** Of the device, base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** Of signatures, as the device counts them; 0 where it does not. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    /** Kept by a password manager on several devices. */
    backedUp: boolean('backed_up').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)
export type PasskeyRow = typeof passkeys.$inferSelect

/** Codes that stand in for a lost device, each used once; only a keyed hash is kept. */
export const recoveryCodes = engine.table(
  'recovery_codes',
  {
    hash: text('hash').primaryKey(),
    userId: userId(),
    createdAt: createdAt(),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
)

/** What the server waits for: single use, for minutes. */
export const authChallenges = engine.table(
  'auth_challenges',
  {
    id: uuid('id').primaryKey(),
    purpose: text('purpose', {
      enum: ['sign-in', 'totp', 'add-passkey', 'use-passkey', 'provider'],
    }).notNull(),
    /** Null for a sign-in by passkey, which names the user itself. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The hash of a ticket, an encrypted TOTP secret, or a WebAuthn challenge; empty for an answer of a provider, or a link of a registration, that was used. */
    secret: text('secret').notNull(),
    /** What a provider said, for a ticket of a sign-in that began there. */
    details: jsonb('details').$type<JsonObject>(),
    /** Of the user's sessions when the password was checked. */
    sessionVersion: integer('session_version'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('auth_challenges_user').on(t.userId),
    index('auth_challenges_expiry').on(t.expiresAt),
  ],
)
export type ChallengePurpose = (typeof authChallenges.$inferSelect)['purpose']

/** Roles whose users must have a second factor; names are case-insensitive. */
export const secondFactorRoles = engine.table('second_factor_roles', {
  role: text('role').primaryKey(),
  createdAt: createdAt(),
})
