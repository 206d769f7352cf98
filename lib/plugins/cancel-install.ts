import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { InstallRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { stopCancelled } from './cancellations'
import { progressAnnouncer } from './history/announce-progress'
import { closeCancelled } from './history/close-cancelled'
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
