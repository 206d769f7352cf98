import { sql } from 'drizzle-orm'
import { bigint, customType, index, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './columns'
import { engine } from './engine'

/** A table by its identity, which a dump keeps by name. */
const regclass = customType<{ data: string }>({ dataType: () => 'regclass' })
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
