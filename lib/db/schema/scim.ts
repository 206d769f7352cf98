import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/sql'
import type { JsonObject } from '@/lib/values/json'
import { createdAt, engine, instant, updatedAt } from './engine'
import { users } from './users'

/** The credential of the identity provider, of which there is at most one: a visible prefix and a SHA-256. */
export const scimTokens = engine.table(
  'scim_tokens',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Always true, and unique. */
    only: boolean('only').notNull().default(true).unique(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique(),
    /** Email or key name at the time. */
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    /** Written at most once a minute. */
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [check('scim_tokens_only', sql`${t.only}`)],
)
export type ScimTokenRow = typeof scimTokens.$inferSelect

/** Accounts that the identity provider manages, with what it said of them. */
export const scimUsers = engine.table(
  'scim_users',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    externalId: text('external_id'),
    /** Attributes of the schemas, without those that the account itself holds. */
    attributes: jsonb('attributes').$type<JsonObject>().notNull(),
    /** Keys of the profile that have their values from the attributes. */
    profileKeys: text('profile_keys').array().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('scim_users_external').on(t.externalId)],
)
export type ScimUserRow = typeof scimUsers.$inferSelect

export const scimGroups = engine.table(
  'scim_groups',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    /** Increased by each change, of its members too. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('scim_groups_name').on(lower(t.displayName)),
    index('scim_groups_external').on(t.externalId),
  ],
)
export type ScimGroupRow = typeof scimGroups.$inferSelect

export const scimMembers = engine.table(
  'scim_members',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => scimGroups.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.userId] }), index('scim_members_user').on(t.userId)],
)
