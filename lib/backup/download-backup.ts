import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { beginBackup } from './begin-backup'
import { sessionOf } from './open-session'
import { packed } from './pack'
import { writeBackup } from './write-backup'

type Caller = { actor: Actor; requestId: string; signal: AbortSignal }

/**
 * A backup of this server as a file to download. It is written to the disk first, in constant memory, and removed when `chunks` end.
 * Recorded in the audit log. Throws `conflict` while another one is written, and an `Error` that says what is in the way.
 */
export async function downloadBackup(deps: Deps, caller: Caller) {
  const { folder, end } = await beginBackup(deps)
  try {
    await write(deps, folder, caller)
  } catch (error) {
    await end()
    throw error
  }
  const fileName = `engine-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}.tar`
  return { fileName, mediaType: 'application/x-tar', chunks: untilEnd(packed(folder), end) }
}

async function write(
  deps: Deps,
  folder: string,
  { actor, requestId, signal }: Caller,
): Promise<void> {
  const { db, settings, secret } = deps
  const entry = { action: 'backup.download', objectType: 'backup', requestId }
  // Before it is written: what an unfinished download has sent is known, too.
  await withOwnBudget({}, () => recordAudit(db, actor, entry))
  const session = await sessionOf(deps)
  try {
    await writeBackup({ session, dataDir: settings.DATA_DIR, secret, signal }, folder)
  } finally {
    await session.close()
  }
}

async function* untilEnd(
  chunks: AsyncGenerator<Uint8Array>,
  end: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } finally {
    await end()
  }
}
