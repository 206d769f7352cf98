import { recordAudit } from '@/lib/audit/record-audit'
import type { InstallRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import type { InstallRequest } from '@/lib/plugins/install-request'
import { progressAnnouncer } from './announce-progress'
import { closeInstall, insertInstall, type NewInstall } from './record-install'

/** Records an install in the history and the audit log before it does anything. */
export async function openInstall(
  tx: Db,
  { actor, requestId, source }: InstallRequest,
  history: NewInstall,
): Promise<InstallRow> {
  const { id, version } = history.manifest
  await recordAudit(tx, actor, {
    action: 'plugins.install',
    objectType: 'plugin',
    objectId: id,
    details: { history: history.id, version, source },
    requestId,
  })
  return insertInstall(tx, history)
}

/** Closes an install that `error` ended, with a reason that a user may know. */
export async function closeAfterError(deps: Deps, id: number, error: unknown): Promise<void> {
  const expected = error instanceof AppError
  const message = expected ? error.message : 'The installation ended unexpectedly'
  const reason = messageOf(error).slice(0, 500)
  deps.log[expected ? 'info' : 'error'](
    { installId: id, error: reason },
    'installation ended early',
  )
  // If the database is not available, the sweep closes the install later.
  await deps.db
    .transaction((tx) => closeInstall(tx, id, 'Interrupted', [message]))
    .catch((cause) =>
      deps.log.error(
        { installId: id, error: messageOf(cause).slice(0, 200) },
        'installation left to the sweep',
      ),
    )
  await progressAnnouncer(deps, id)({ now: true })
}
