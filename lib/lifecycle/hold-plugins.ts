import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { isContention } from '@/lib/db/errors'
import type { Db } from '@/lib/db/sql'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { pluginLock } from '@/lib/installs/history-entries'
import { sweepInstalls } from '@/lib/installs/sweep-installs'
import { markingPolicies } from '@/lib/policies/mark-invalid'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import { settlePending } from '@/lib/tables/settle-pending'

/** A change that waits for a table blocks its later users, so it lets them pass in between. */
const MAX_LOCK_WAIT_MS = 2_000
const PAUSE_MS = 50

/**
 * Runs `work` in one transaction that no other change of definitions interrupts; again while others keep
 * tables locked, for `INSTALL_WAIT_MS`. Policies that no longer fit are marked with it. Throws `conflict` when they go on, or stored values contradict it.
 */
export async function changeDefinitions<T>(
  { db, settings }: Deps,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  const waitMs = Math.min(MAX_LOCK_WAIT_MS, settings.INSTALL_WAIT_MS)
  for (;;) {
    try {
      await settlePending(db)
      return await db.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = ${sql.raw(String(waitMs))}`)
        return definitionTransaction(tx, async (inner) => {
          await settlePending(inner)
          return (await markingPolicies(inner, () => work(inner))).done
        })
      })
    } catch (error) {
      if (error instanceof DefinitionError)
        throw new AppError('conflict', error.details.map(({ message }) => message).join('; '))
      if (!isContention(error)) throw error
      if (performance.now() - startedAt >= settings.INSTALL_WAIT_MS)
        throw new AppError('conflict', 'Other requests keep its tables locked; try again')
      await pause(PAUSE_MS)
    }
  }
}

/**
 * Runs `work` while no install of these plugins runs: waits for those that do. Throws `conflict` when one
 * takes longer than `INSTALL_WAIT_MS`.
 */
export async function holdPlugins<T>(
  deps: Deps,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // In one order, so that two callers never wait for each other.
  const [first, ...others] = [...new Set(ids)].sort()
  if (first === undefined) return work()
  const waitMs = deps.settings.INSTALL_WAIT_MS
  const lock = await deps.locks.take(pluginLock(first), waitMs).catch(sayWhich(first))
  try {
    for (const id of others) await lock.also(pluginLock(id), waitMs).catch(sayWhich(id))
    for (const id of ids) await sweepInstalls(deps, id)
    return await work()
  } finally {
    await lock.release()
  }
}

const sayWhich = (id: string) => (error: unknown) => {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  const message = `An installation of the plugin "${id}" is running; try again when it is done`
  throw new AppError('conflict', message)
}
