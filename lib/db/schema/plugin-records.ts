import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { JsonObject } from '@/lib/values/json'
import { bytea, engine } from './engine'
import { installs } from './plugins'

/**
 * What plugins gave: a row for each record that a plugin's data file wrote, with the record as the
 * plugin last gave it. Written in the transaction of the file.
 */
export const pluginRecords = engine.table(
  'plugin_records',
  {
    pluginId: text('plugin_id').notNull(),
    entity: text('entity').notNull(),
    /** The record's `persistenceId`. */
    key: text('key').notNull(),
    /** The data file, in the plugin's folder. */
    path: text('path').notNull(),
    /**
     * Field → value as responses show it: of a record that the plugin created all fields, otherwise
     * those that it gave. Null: not known, for records written before this table existed.
     */
    base: jsonb('base').$type<JsonObject>(),
    /** The install that gave `base`; negative: that found the entity empty since, and has not created the record again. */
    installId: bigint('install_id', { mode: 'number' }),
    /** The install that created the record; null when the record was there before. */
    createdBy: bigint('created_by', { mode: 'number' }),
    /** Of a record without a key in the file: a digest of its fields as given. */
    content: uuid('content'),
    /** How many records of the file with the same digest precede it. */
    ordinal: integer('ordinal'),
    /** Of a record that has another number here: the address of the server from which it came, and its key there. */
    source: text('source'),
    sourceKey: text('source_key'),
  },
  (t) => [
    primaryKey({ columns: [t.entity, t.key, t.pluginId] }),
    index('plugin_records_content').on(t.pluginId, t.content).where(sql`content is not null`),
    index('plugin_records_source').on(t.entity).where(sql`source is not null`),
  ],
)

/**
 * Parts of large files whose records were copied into empty tables and are not in `plugin_records` yet. Written in the
 * transaction of the file; `settlePending` moves them there.
 */
export const pendingPluginRecords = engine.table('pending_plugin_records', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  pluginId: text('plugin_id').notNull(),
  entity: text('entity').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true })
    .notNull()
    .default(sql`clock_timestamp()`),
  /** Of the table when the records were copied, in the order of `lines`. */
  columns: jsonb('columns').$type<{ name: string; type: string }[]>().notNull(),
  /** An insert into `plugin_records` as far as its `from`, which names the records `t`. */
  statement: text('statement').notNull(),
  /** The records in COPY's text format. */
  lines: bytea('lines').notNull(),
  /** Why it can't be settled, which nobody tries again; null until then. */
  error: text('error'),
})

/**
 * What an install changed of records that were there before, for its rollback. Records that it
 * created are those with its `created_by`.
 */
export const pluginChanges = engine.table(
  'plugin_changes',
  {
    installId: bigint('install_id', { mode: 'number' })
      .notNull()
      .references(() => installs.id, { onDelete: 'cascade' }),
    entity: text('entity').notNull(),
    key: text('key').notNull(),
    /** `unchanged`: only what is remembered of the record changed; `created`: by a rollback. */
    change: text('change', { enum: ['created', 'updated', 'deleted', 'unchanged'] }).notNull(),
    /**
     * The row before: column → value. With `$converted`, undeclared fields before their names were
     * declared, `$filled`, defaults that missing fields got when they became required, and `$left`, the
     * record as a rollback left it; an unchanged one has at most these.
     */
    before: jsonb('before').$type<JsonObject>(),
    /** The row of `plugin_records` before; null when there was none. */
    remembered: jsonb('remembered').$type<JsonObject>(),
  },
  (t) => [primaryKey({ columns: [t.installId, t.entity, t.key] })],
)

/** The definitions that an install created or changed, in order. */
export const pluginDefinitionChanges = engine.table(
  'plugin_definition_changes',
  {
    installId: bigint('install_id', { mode: 'number' })
      .notNull()
      .references(() => installs.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** `fields`: the undeclared names that are known of an entity. */
    kind: text('kind', {
      enum: ['type', 'schema', 'entity', 'role', 'policy', 'webhook', 'plugin', 'fields'],
    }).notNull(),
    name: text('name').notNull(),
    /** The row of the registry before; null when the install created it. */
    before: jsonb('before').$type<JsonObject>(),
    after: jsonb('after').$type<JsonObject>(),
  },
  (t) => [primaryKey({ columns: [t.installId, t.position] })],
)
