import { bigint, doublePrecision, jsonb, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { SearchFigures, SearchShape } from '@/lib/definitions/search-shape'
import { engine } from './engine'
import { entities } from './entities'

/** Slow searches by their shape, which holds names and operators but no value, and their times. */
export const searchShapes = engine.table(
  'search_shapes',
  {
    entity: text('entity')
      .notNull()
      .references(() => entities.name, { onDelete: 'cascade', onUpdate: 'cascade' }),
    /** SHA-256 of the shape. */
    hash: text('hash').notNull(),
    shape: jsonb('shape').$type<SearchShape>().notNull(),
    runs: bigint('runs', { mode: 'number' }).notNull(),
    totalMs: doublePrecision('total_ms').notNull(),
    maxMs: doublePrecision('max_ms').notNull(),
    lastMs: doublePrecision('last_ms').notNull(),
    lastAt: timestamp('last_at', { withTimezone: true, precision: 3 }).notNull(),
    /** The figures until the last index for this shape was ready; the others count from then on. */
    before: jsonb('before').$type<SearchFigures>(),
  },
  (t) => [primaryKey({ columns: [t.entity, t.hash] })],
)
