import { sql } from 'drizzle-orm'
import {
  bigint,
  doublePrecision,
  index,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/sql'
import type { Authored } from '@/lib/definitions/authored'
import type {
  AddedIndex,
  EntityDefinition,
  SchemaDefinition,
  StoredColumn,
  TypeDefinition,
} from '@/lib/definitions/definition'
import type { SearchFigures, SearchShape } from '@/lib/definitions/search-shape'
import { createdAt, engine, instant, regclass, updatedAt, xid8 } from './engine'

/**
 * The registry of entities and their tables: no DDL and no search reaches a table without a row
 * here.
 */
export const entities = engine.table(
  'entities',
  {
    name: text('name').primaryKey(),
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<EntityDefinition>().notNull(),
    authored: jsonb('authored').$type<Authored>(),
    tableSchema: text('table_schema').notNull(),
    tableName: text('table_name').notNull(),
    /** Every column the table has, dropped properties included: their data stays. */
    columns: jsonb('columns').$type<StoredColumn[]>().notNull().default([]),
    /** Names of undeclared fields seen in records, so that they can be searched. */
    extraFields: text('extra_fields').array().notNull().default(sql`'{}'`),
    /** Indexes besides those of the definition; kept when the definition changes. */
    addedIndexes: jsonb('added_indexes').$type<AddedIndex[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('entities_name_unique').on(lower(t.name)),
    uniqueIndex('entities_table_unique').on(t.tableSchema, t.tableName),
  ],
)
export type EntityRow = typeof entities.$inferSelect

export const schemas = engine.table(
  'schemas',
  {
    name: text('name').primaryKey(),
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<SchemaDefinition>().notNull(),
    authored: jsonb('authored').$type<Authored>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('schemas_name_unique').on(lower(t.name))],
)

/** Property types that plugins define on top of the built-in ones. */
export const entityTypes = engine.table(
  'types',
  {
    name: text('name').primaryKey(),
    pluginId: text('plugin_id'),
    definition: jsonb('definition').$type<TypeDefinition>().notNull(),
    authored: jsonb('authored').$type<Authored>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('types_name_unique').on(lower(t.name))],
)

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

const id = (name: string) => bigint(name, { mode: 'number' })

/** Numbers of transactions that changed records with a history, or wrote about it to the audit log. */
export const changeIds = engine.sequence('change_ids')

export const VERSION_KINDS = ['insert', 'update', 'delete'] as const

/**
 * What happened to each record of entities that keep a history, written by triggers, and the last change
 * of a record in the console elsewhere. The functions `keep_history` and `stop_history` are in the migration.
 */
export const recordVersions = engine.table(
  'record_versions',
  {
    /** The table of the entity, which stays the same when either is renamed. */
    relation: regclass('relation').notNull(),
    /** The name of the entity, for those who read the table as a log. */
    entity: text('entity').notNull(),
    /** The `persistenceId`. */
    key: text('key').notNull(),
    /** An index holds no text as long as a key may be. */
    keyHash: bigint('key_hash', { mode: 'bigint' })
      .notNull()
      .generatedAlwaysAs(sql`hashtextextended(key, 0)`),
    id: id('id').generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    kind: text('kind', { enum: VERSION_KINDS }).notNull(),
    /** The row as it was before, column → value; null for an insert. */
    data: jsonb('data'),
    /** The row as it was afterwards; null where that is what the next version was before, or the table has. */
    after: jsonb('after'),
    /** The transaction, as `audit_log.change_id` has it. */
    changeId: id('change_id'),
    /** The install or rollback that did it. */
    installId: id('install_id'),
  },
  (t) => [
    primaryKey({ columns: [t.relation, t.keyHash, t.id] }),
    // Rows are written in the order of time.
    index('record_versions_at').using('brin', t.at),
  ],
)

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
