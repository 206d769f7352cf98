import { bigint, customType, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { engine } from './engine'

/** A table by its identity, which a dump keeps by name. */
const regclass = customType<{ data: string }>({ dataType: () => 'regclass' })
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })
const big = (name: string) => bigint(name, { mode: 'bigint' })

/**
 * The number of records of each entity's table: `base`, plus the `n` of its changes. The trigger
 * function, the view `current_totals` and `keep_total` are in the migration.
 */
export const entityTotals = engine.table('entity_totals', {
  relation: regclass('relation').primaryKey(),
  /** Null until the table has been counted. */
  base: big('base'),
  /** How many changes are included in `base`. */
  compacted: big('compacted').notNull(),
  /** Distinguishes versions from those before the total was counted again. */
  since: timestamp('since', { withTimezone: true }).notNull(),
  /** The triggers as they were then: others have missed changes. */
  triggers: text('triggers').notNull(),
  /** Changes with an id up to this one are all included in `base`. */
  through: big('through').notNull(),
  /** The next value of `through`, once all transactions before `nextXid` have ended. */
  nextThrough: big('next_through').notNull(),
  nextXid: xid8('next_xid').notNull(),
})

/** What a statement did to a table: `n` more records, or 0 for updates; null when that is unknown. */
export const entityTotalChanges = engine.table(
  'entity_total_changes',
  {
    relation: regclass('relation').notNull(),
    id: big('id').generatedAlwaysAsIdentity(),
    n: big('n'),
  },
  (t) => [primaryKey({ columns: [t.relation, t.id] })],
)
