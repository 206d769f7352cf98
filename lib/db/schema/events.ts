import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, text } from 'drizzle-orm/pg-core'
import { engine, bigId as id, instant, regclass, xid8 } from './engine'

/**
 * `many`: what one transaction did to the records of an entity, when they are many. `begin`: changes were not kept before, or the table was not
 * there. `definition`: records that nobody changed look different from here on.
 */
export const EVENT_KINDS = ['insert', 'update', 'delete', 'many', 'begin', 'definition'] as const

const EVENT_PLACE = sql`greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8, nullif(current_setting('engine.event_place', true), '')::xid8)`

export const recordEventIds = engine.sequence('record_event_ids')

/**
 * The changes of records of entities that can be followed, written by triggers. Partitioned by the day of `at`: the
 * migration has the partitions, and the functions `keep_events` and `stop_events`.
 */
export const recordEvents = engine.table(
  'record_events',
  {
    relation: regclass('relation').notNull(),
    /** The name of the entity then, for those who read the table. */
    entity: text('entity').notNull(),
    id: id('id').notNull().default(sql`nextval('engine.record_event_ids')`),
    /**
     * The transaction, or the last that had ended by then where that is a later one: once all with lower numbers have ended,
     * nothing can appear before it, and the changes of one record have the order in which they happened. Of `many` the transaction.
     */
    xid: xid8('xid').notNull().default(EVENT_PLACE),
    at: instant('at').notNull(),
    kind: text('kind', { enum: EVENT_KINDS }).notNull(),
    /** The `persistenceId`; empty for `many`, `begin` and `definition`. */
    key: text('key').notNull(),
    /** Rows, column → value. */
    before: jsonb('before'),
    after: jsonb('after'),
    /** One of those that an event of the kind `many` stands for. */
    bulk: boolean('bulk').notNull().default(false),
    /** Of `many`: how many records were inserted, updated and deleted. */
    counts: jsonb('counts').$type<Partial<Record<'insert' | 'update' | 'delete', number>>>(),
    /** As `audit_log.change_id` has it. */
    changeId: id('change_id'),
    installId: id('install_id'),
  },
  (t) => [index('record_events_position').on(t.relation, t.xid, t.id)],
)

/** One row about `record_events` as a whole, made when it is first needed. */
export const eventLog = engine.table('event_log', {
  only: boolean('only').primaryKey().default(true),
  /** Another in each database, and after a restore: positions are of one log. */
  log: text('log').notNull().default(sql`gen_random_uuid()::text`),
  /** Events of transactions up to this one may have been deleted. */
  expired: xid8('expired').notNull().default(sql`'0'`),
})
