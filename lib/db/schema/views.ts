import { sql } from 'drizzle-orm'
import { boolean, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/sql'
import { createdAt, engine, updatedAt } from './engine'
import { users } from './users'

/** Saved views of an entity's records: filter, sort, columns. */
export const savedViews = engine.table(
  'saved_views',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    entity: text('entity').notNull(),
    name: text('name').notNull(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Visible to all users who may read the entity. */
    shared: boolean('shared').notNull().default(false),
    /** Visible to users with this role, where it is not shared with all. */
    role: text('role'),
    /** The page's query string: `sort=name:asc&filter=[…]`. */
    params: text('params').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('saved_views_name').on(t.ownerId, t.entity, lower(t.name)),
    index('saved_views_shared').on(t.entity).where(sql`shared`),
    index('saved_views_role').on(t.entity).where(sql`role is not null`),
  ],
)
export type SavedViewRow = typeof savedViews.$inferSelect

/**
 * Views that an entity opens with: of a user, or of the users with a role. Of several for the same holder and entity
 * the latest counts.
 */
export const viewDefaults = engine.table(
  'view_defaults',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    viewId: uuid('view_id')
      .notNull()
      .references(() => savedViews.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Where `userId` is null. */
    role: text('role'),
    createdAt: createdAt(),
  },
  (t) => [
    index('view_defaults_view').on(t.viewId),
    index('view_defaults_user').on(t.userId).where(sql`user_id is not null`),
  ],
)
