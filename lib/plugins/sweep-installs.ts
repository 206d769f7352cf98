import type { Deps } from '@/lib/runtime'
import { installLock } from './install-plugin'
import { closeInstall, openInstalls } from './store'

const REASON =
  'The process that ran this installation ended before it was done; install the archive again to complete it'

/**
 * Closes installs whose process is gone: nobody holds their lock. Run at start-up and from time to
 * time, on any instance. Answers the ids of those it closed.
 */
export async function sweepInstalls({
  db,
  locks,
  log,
}: Pick<Deps, 'db' | 'locks' | 'log'>): Promise<string[]> {
  const swept: string[] = []
  for (const id of await openInstalls(db)) {
    if (await locks.isHeld(installLock(id))) continue
    await db.transaction((tx) => closeInstall(tx, id, 'Interrupted', [REASON]))
    log.warn({ installId: id }, 'closed an installation that a dead process left')
    swept.push(id)
  }
  return swept
}
