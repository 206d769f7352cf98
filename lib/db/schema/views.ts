import { sql } from 'drizzle-orm'
import { boolean, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/functions'
import { createdAt, updatedAt } from './columns'
import { engine } from './engine'
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
    /** The page's query string: `sort=name:asc&filter=[…]`. */
    params: text('params').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('saved_views_name').on(t.ownerId, t.entity, lower(t.name)),
    index('saved_views_shared').on(t.entity).where(sql`shared`),
  ],
)
export type SavedViewRow = typeof savedViews.$inferSelect
