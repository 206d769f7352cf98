import { sql } from 'drizzle-orm'
import { databaseError, isContention, isTimeout, isUnavailable, reasonOf } from '@/lib/db/errors'
import { runAlone } from '@/lib/db/guarded-pool'
import { type Db, tableSql } from '@/lib/db/sql'
import type { AddedIndex, Entity, TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { loadEntities, registryChanged } from '@/lib/registry/registry'
import { createIndex } from '@/lib/tables/create-index'
import type { IndexSpec } from '@/lib/tables/ddl-step'
import { ADDED_PREFIX, addedIndexSpec } from '@/lib/tables/table-indexes'
import { addedIndexName } from './added-index-name'
import { measureFrom } from './measure'
import { countAdded, type FoundIndex, findIndexes, lockEntity, saveAdded } from './store'

const LOCK = 'added indexes'

/**
 * Makes the database's added indexes those of the registry, one after the other: builds those that are missing,
 * drops those that are no longer wanted and those that a crash left unfinished. Returns at once while
 * another process does so, and when there is nothing to do. Never throws for an index that can't be built.
 */
export async function buildIndexes(deps: Deps): Promise<void> {
  if (!(await nextTask(deps.db))) return
  const lock = await deps.locks.take(LOCK, 0).catch((error) => {
    if (error instanceof AppError && error.code === 'conflict') return null
    throw error
  })
  if (!lock) return
  try {
    const skipped = new Set<string>()
    for (;;) {
      const task = await nextTask(deps.db, skipped)
      if (!task) return
      // What fails is tried again in the next round, not at once.
      if (!(await carryOut(deps, task))) skipped.add(task.name)
    }
  } finally {
    await lock.release()
  }
}

async function carryOut(deps: Deps, task: Task): Promise<boolean> {
  if (task.type === 'drop') return drop(deps, task.table, task.name)
  if (task.type === 'note-ready') {
    await recordReady(deps, task)
    return true
  }
  return build(deps, task)
}

async function drop(deps: Deps, table: TableName, name: string): Promise<boolean> {
  try {
    await dropIndex(deps, table, name)
    return true
  } catch (error) {
    deps.log.warn({ index: name, error: reasonOf(error) }, 'an index was not dropped')
    return false
  }
}

/** Without blocking readers and writers, except on the embedded database, which has one connection. */
export async function dropIndex(deps: Deps, { schema }: TableName, name: string): Promise<void> {
  const index = tableSql({ schema, name })
  if (deps.dialect === 'pglite') await deps.db.execute(sql`drop index if exists ${index}`)
  else await runAlone(deps.db, sql`drop index concurrently if exists ${index}`)
}

async function build(deps: Deps, task: Task & { type: 'build' }): Promise<boolean> {
  const { db, dialect, log } = deps
  try {
    if (dialect === 'pglite') await db.execute(createIndex(task.table, task.spec))
    else await runAlone(db, createIndex(task.table, task.spec, true))
    return true
  } catch (error) {
    log.warn({ index: task.name, error: reasonOf(error) }, 'an index was not built')
    const reason = whyNot(error)
    // The definition may have changed meanwhile; then it was another index that could not be built.
    const present = await nextTask(db, new Set(), task.name)
    if (reason === null || present === null) return false
    await change(deps, task, { error: reason })
    return true
  }
}

async function recordReady(deps: Deps, task: Task & { type: 'note-ready' }): Promise<void> {
  await measureFrom(deps, task.entity, task.added)
  await change(deps, task, { readyAt: new Date().toISOString() })
}

async function change(
  deps: Deps,
  { entity, name }: Task & { entity: Entity },
  change: Partial<AddedIndex>,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const present = await lockEntity(tx, entity.name)
    const changed = present.addedIndexes.map((one) =>
      addedIndexName(present, one) === name ? { ...one, ...change } : one,
    )
    await saveAdded(tx, present, changed)
  })
  await registryChanged(deps)
}

type Of = { name: string; table: TableName; entity: Entity; added: AddedIndex }
type Task =
  | { type: 'drop'; name: string; table: TableName }
  | (Of & { type: 'build'; spec: IndexSpec })
  | (Of & { type: 'note-ready' })

/**
 * What to do next for the database to have the added indexes of the registry; null when it has them. Leaves alone
 * what is being built, and `skipped`. `only`: of this index.
 */
async function nextTask(
  db: Db,
  skipped: ReadonlySet<string> = new Set(),
  only?: string,
): Promise<Task | null> {
  const found = await findIndexes(db, ADDED_PREFIX)
  if (found.length === 0 && (await countAdded(db)) === 0) return null
  const wanted = (await loadEntities(db)).flatMap(wantedOf)
  const tasks = [...dropTasks(found, wanted), ...wanted.flatMap((one) => taskOf(one, found))]
  return (
    tasks.find(({ name }) => !skipped.has(name) && (only === undefined || name === only)) ?? null
  )
}

type Wanted = Of & { spec: IndexSpec }

const wantedOf = (entity: Entity): Wanted[] =>
  entity.addedIndexes.flatMap((added) => {
    const spec = addedIndexSpec(entity, added)
    return spec ? [{ name: spec.name, table: entity.table, entity, added, spec }] : []
  })

/** Those that are not wanted, and those that a crash left unfinished. */
const dropTasks = (found: readonly FoundIndex[], wanted: readonly Wanted[]): Task[] =>
  found
    .filter(({ pid }) => pid === null)
    .filter(({ name, isValid }) => !isValid || !wanted.some((one) => one.name === name))
    .map(({ name, table }) => ({ type: 'drop', name, table }))

function taskOf(wanted: Wanted, found: readonly FoundIndex[]): Task[] {
  const index = found.find(({ name }) => name === wanted.name)
  if (!index) return [{ type: 'build', ...wanted }]
  const { spec: _, ...of } = wanted
  return index.isValid && wanted.added.readyAt === undefined ? [{ type: 'note-ready', ...of }] : []
}

/** Why an index can never be built as things are, for people; null when a later attempt may succeed. */
function whyNot(error: unknown): string | null {
  if (isContention(error) || isTimeout(error) || isUnavailable(error)) return null
  const code = databaseError(error)?.code
  if (code === undefined) return null
  return REASONS.get(code) ?? `PostgreSQL refused it (${code})`
}

const REASONS = new Map([
  ['23505', 'Two records have the same values, so the index can’t be unique'],
  ['54000', 'A value is longer than an index can hold'],
  ['42703', 'A field of it is gone'],
  ['42P01', 'The table of the entity is gone'],
])
