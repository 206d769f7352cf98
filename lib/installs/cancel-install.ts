import { recordAudit } from '@/lib/audit/record-audit'
import { requireStill } from '@/lib/auth/actor-now'
import type { Actor } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import type { InstallRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { closeCancelled, progressAnnouncer } from './history-entries'
import { getInstall } from './store'

/**
 * Ends a running install, on whichever instance: the file that is being installed is rolled back, with
 * `atomic` all of them; the process that runs it stops within seconds, and can write nothing more
 * meanwhile. One that was cancelled already is returned as it is. Throws `not_found`, and `conflict`
 * when it is over.
 */
export async function cancelInstall(
  deps: Deps,
  id: number,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<InstallRow> {
  // First, since on the embedded database the install may hold the only connection.
  const isStopped = stopCancelled(id, actor.name)
  const before = await getInstall(deps.db, id)
  if (!isStopped && before.status !== 'IN_PROGRESS') return requireCancelled(before)
  await deps.db.transaction(async (tx) => {
    const isClosed = await closeCancelled(tx, before, actor.name)
    // The process may be this one, and have noted its end itself.
    if (!isClosed) requireCancelled(await getInstall(tx, id))
    await recordAudit(tx, actor, {
      action: 'plugins.cancel',
      objectType: 'plugin',
      objectId: before.pluginId ?? undefined,
      details: { history: id, version: before.version },
      requestId,
    })
  })
  await progressAnnouncer(deps, id)({ now: true })
  return getInstall(deps.db, id)
}

function requireCancelled(install: InstallRow): InstallRow {
  if (install.cancelledBy !== null) return install
  const message = 'The installation is over; what it did can be rolled back'
  throw new AppError('conflict', message)
}

type Cancellation = { stop: AbortController; by: string | null }

// On `globalThis`: an install runs in one route's bundle and is cancelled by another's.
const shared = globalThis as typeof globalThis & {
  __engineCancellations?: Map<number, Cancellation>
}
shared.__engineCancellations ??= new Map()
const running = shared.__engineCancellations

/** Lets install `id` be cancelled by this process until the result is called. */
export function allowCancellation(id: number, stop: AbortController): () => void {
  running.set(id, { stop, by: null })
  return () => running.delete(id)
}

/** Stops an install that this process runs: its statement, its wait. False when it runs none of this number. */
function stopCancelled(id: number, by: string): boolean {
  const found = running.get(id)
  if (!found || found.by !== null) return false
  found.by = by
  // Ends the install where an error of one file would only end that file.
  found.stop.abort(new AppError('unavailable', 'The installation was cancelled'))
  return true
}

/** Who cancelled an install that this process runs; null while nobody has. */
export const cancelledBy = (id: number): string | null => running.get(id)?.by ?? null

const LOOK_MS = 2_000

/**
 * Stops an install of this process when another one has cancelled it, or when whoever asked may no longer install. Returns
 * a function that ends the watch.
 */
export function watchCancellation(
  { db }: Pick<Deps, 'db'>,
  { id, actor, cancel }: { id: number; actor: Actor; cancel: AbortController },
): () => void {
  const look = async () => {
    try {
      await withOwnBudget({ ms: LOOK_MS * 5 }, async () => {
        const { cancelledBy } = await getInstall(db, id)
        if (cancelledBy !== null) stopCancelled(id, cancelledBy)
        await requireStill(db, actor, ['plugins:install'])
      })
    } catch (error) {
      if (error instanceof AppError && error.code === 'forbidden') cancel.abort(error)
      // Else looks again; a cancelled install can write nothing in the meantime.
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return () => clearInterval(timer)
}
