import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { sweepInstalls } from '@/lib/plugins/sweep-installs'
import { pluginLock } from './locks'

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
