import { eq, type SQL, sql } from 'drizzle-orm'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { databaseError } from '@/lib/db/errors'
import { SERVER_LOCKS } from '@/lib/db/locks'
import { entities, type entityTypes, type schemas } from '@/lib/db/schema'
import { type Db, textArray } from '@/lib/db/sql'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { ownerNotes } from '@/lib/registry/definition-owner'
import type { DdlStep } from './ddl-step'
import type { TableChange } from './plan-change'
import { columnsAfter } from './plan-table'

// A lock on the registry in use: a dry run works on a copy of it and blocks nothing.
const REGISTRY = sql`('engine.entities'::regclass::oid::bigint % 2147483647)::int`

const LOCK = sql`pg_advisory_xact_lock(${SERVER_LOCKS.definitions}::int, ${REGISTRY}), ${ONE_AFTER_THE_OTHER}`

/** Until the transaction `tx` ends, no other one changes definitions. */
export const lockDefinitions = (tx: Db) => tx.execute(sql`select ${LOCK}`)

/** Those that any error ends: what is done in one needs no savepoint of its own. */
const holding = new WeakSet<Db>()

/** The same for a transaction that any error ends; `settings` are made before it waits. */
export async function holdDefinitions(tx: Db, settings: SQL): Promise<void> {
  await tx.execute(sql`select ${settings}, ${LOCK}`)
  holding.add(tx)
}

/**
 * Runs `work` all or nothing inside the caller's transaction. Until that transaction ends, no other
 * transaction changes definitions. Throws `DefinitionError` for what the database refuses by itself.
 */
export async function definitionTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    if (holding.has(db)) return await work(db)
    return await db.transaction(async (tx) => {
      await lockDefinitions(tx)
      return await work(tx)
    })
  } catch (error) {
    const reason = REFUSALS.get(databaseError(error)?.code ?? '')
    throw reason ? new DefinitionError('Invalid definition', [{ message: reason }]) : error
  }
}

const REFUSALS = new Map([
  ['42P07', 'The database already has a table or index of this name; choose another dbTable'],
  ['42710', 'The database already has an object of this name; choose another dbTable'],
  ['42501', 'The database user may not create this; choose another dbSchema'],
  ['42P01', 'The registry names a table that no longer exists in the database'],
  ['54011', 'The table would have too many columns'],
])

type Table = typeof entities | typeof schemas | typeof entityTypes

/** Makes a plugin the owner of an installed definition that is as it defines it and belongs to no plugin. */
export async function takeUnowned(
  tx: Db,
  table: Table,
  installed: { name: string; pluginId: string | null },
  pluginId: string,
): Promise<DefineOutcome> {
  const notes = ownerNotes(installed, pluginId)
  if (installed.pluginId !== null) return { status: 'unchanged', steps: [], notes }
  await tx
    .update(table as typeof entities)
    .set({ pluginId, updatedAt: sql`${table.updatedAt}` })
    .where(eq(table.name, installed.name))
  return { status: 'updated', steps: [], notes }
}

/** `changedAt`: entity that uses it → when its row last changed. */
export type FormerSchema = Pick<
  typeof schemas.$inferSelect,
  'name' | 'definition' | 'updatedAt'
> & { changedAt: Record<string, Date> }

/** The result of installing one definition: the changes of tables in order, and notes. */
export type DefineOutcome = {
  status: 'created' | 'updated' | 'unchanged'
  steps: DdlStep[]
  notes: string[]
  /** Schemas of other definitions that changed with it, as they were before. */
  followed?: FormerSchema[]
}

/** As the database returns it. */
export const toStored = <T>(definition: T): T => JSON.parse(JSON.stringify(definition)) as T

/** Writes the registry row of an entity in its state after the change. */
export async function saveEntity(tx: Db, change: TableChange): Promise<void> {
  const { before, after, steps, renames } = change
  const { name, pluginId, definition, table } = after
  const columns = columnsAfter(before?.columns ?? [], steps)
  const values = { pluginId, definition, columns, tableSchema: table.schema, tableName: table.name }
  if (!before) {
    await tx.insert(entities).values({ name, ...values })
    return
  }
  // An index may be completed meanwhile, so that they are only written where their names change.
  const renamed = renames ? { name, addedIndexes: after.addedIndexes } : {}
  const declared = textArray(after.properties.map((property) => property.name))
  // In SQL, since a concurrent write of records may add names.
  const extraFields = sql`array(select seen from unnest(${renames ? textArray(after.extraFields) : entities.extraFields}) with ordinality as t(seen, at) where seen <> all(${declared}) order by at)`
  await tx
    .update(entities)
    .set({ ...values, ...renamed, extraFields })
    .where(eq(entities.name, renames?.formerName ?? name))
}
