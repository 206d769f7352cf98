import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { sessionOf } from './open-session'
import { packed } from './pack'
import { writeBackup } from './write-backup'

type Caller = { actor: Actor; requestId: string; signal: AbortSignal }

const LOCK = 'write a backup'

/**
 * A backup of this server as a file to download. It is written to the disk first, in constant memory, and removed when `chunks` end.
 * Recorded in the audit log. Throws `conflict` while another one is written, and an `Error` that says what is in the way.
 */
export async function downloadBackup(deps: Deps, caller: Caller) {
  const lock = await takeTurn(deps)
  const folder = await newFolder(deps.settings.DATA_DIR).catch(async (error) => {
    await lock.release()
    throw error
  })
  const end = async () => {
    await rm(folder, { recursive: true, force: true })
    await lock.release()
  }
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

/** Throws `conflict` while another backup is written. */
export async function requireNoOther({ locks }: Pick<Deps, 'locks'>): Promise<void> {
  if (await locks.isHeld(LOCK)) throw otherBackup()
}

const otherBackup = () =>
  new AppError('conflict', 'Another backup is being written; try again when it is complete')

async function takeTurn({ locks }: Pick<Deps, 'locks'>) {
  return locks.take(LOCK, 0).catch((error) => {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
    throw otherBackup()
  })
}

/** Removes what killed servers have left: the lock is held. */
async function newFolder(dataDir: string): Promise<string> {
  const parent = join(dataDir, 'backups')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent))
    await rm(join(parent, name), { recursive: true, force: true })
  return mkdtemp(join(parent, 'backup-'))
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
