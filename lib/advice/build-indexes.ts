import { sql } from 'drizzle-orm'
import { reasonOf } from '@/lib/db/errors'
import { runAlone } from '@/lib/db/guarded-pool'
import { tableSql } from '@/lib/db/sql'
import type { AddedIndex, Entity, TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { registryChanged } from '@/lib/registry/registry'
import { createIndex } from '@/lib/tables/create-index'
import { addedIndexName } from './added-index-name'
import { nextTask, type Task } from './build/next-task'
import { whyNot } from './build/why-not'
import { measureFrom } from './measure'
import { lockEntity, saveAdded } from './store'

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
