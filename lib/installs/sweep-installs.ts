import type { Deps } from '@/lib/deps'
import { closeInstall, installLock, openInstalls } from './history-entries'

const REASON =
  'The installation stopped before its end: the server that ran it ended or lost its connection to the database; install the archive again to complete it'

/**
 * Closes installs whose process ended or lost its lock, so that it is free. Of one plugin or of all, but `own`.
 * Run at start-up and periodically, on any instance. Returns the numbers of the closed installs.
 */
export async function sweepInstalls(
  { db, locks, log }: Pick<Deps, 'db' | 'locks' | 'log'>,
  pluginId?: string,
  own?: number,
): Promise<number[]> {
  const swept: number[] = []
  for (const id of await openInstalls(db, pluginId)) {
    if (id === own || (await locks.isHeld(installLock(id)))) continue
    if (!(await db.transaction((tx) => closeInstall(tx, id, 'Interrupted', [REASON])))) continue
    log.warn({ installId: id }, 'closed an installation that a dead process left')
    swept.push(id)
  }
  return swept
}
