import { mkdir, rm } from 'node:fs/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import { recordAudit } from '@/lib/audit/record-audit'
import { databaseError } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import { registryChanged } from '@/lib/registry/registry'
import { checkBackup } from './check-backup'
import { RESTORE_LOCK, requireNewServer, restoreFolder } from './new-server'
import { sessionOf } from './open-session'
import { unpack } from './pack'
import { restoreBackup } from './restore-backup'
import type { Restored } from './restored'

type Caller = { address: string | null; requestId: string }

/**
 * Restores the backup in `file` on this server, which goes on running and must have no users: all of it or nothing. Throws `conflict`
 * when there are users or another restore runs, `invalid_input` when the file can't be restored, and `unavailable` when others
 * kept its tables.
 */
export function restoreOnNewServer(deps: Deps, file: string, caller: Caller): Promise<Restored> {
  return deps.locks.hold(RESTORE_LOCK, 0, async () => {
    await requireNewServer(deps)
    const folder = restoreFolder(deps.settings.DATA_DIR)
    // What is left of one that was killed.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      return await restoreIn(deps, { file, folder }, caller)
    } catch (error) {
      throw refusalOf(error)
    } finally {
      // Files of a damaged archive may still be written.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
}

type Places = { file: string; folder: string }

async function restoreIn(deps: Deps, { file, folder }: Places, caller: Caller): Promise<Restored> {
  const { secret, settings, log } = deps
  await unpack(file, folder, { name: 'This file', key: settings.BACKUP_KEY })
  const backup = await checkBackup(folder)
  const { createdAt, tables, images } = backup.manifest
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const session = await sessionOf(deps)
  try {
    const target = { session, dataDir: settings.DATA_DIR, secret }
    const entry = {
      action: 'backup.restore',
      objectType: 'backup',
      details: { createdAt, rows, images: images.length },
      requestId: caller.requestId,
    }
    const warnings = await restoreBackup(target, backup, 'new-server', (client) =>
      recordAudit(
        drizzle(client as Client) as never,
        { type: 'anonymous', address: caller.address },
        entry,
      ),
    )
    log.info({ createdAt, rows, images: images.length }, 'backup restored')
    return { createdAt, rows, images: images.length, warnings }
  } finally {
    await session.close()
    await registryChanged(deps)
  }
}

/** Another transaction held what the restore needed: 40P01, a deadlock, or 55P03, a lock that took too long. */
const KEPT = ['40P01', '55P03']

function refusalOf(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = databaseError(error)?.code
  const isKept = code !== undefined && KEPT.includes(code)
  if (isKept)
    return new AppError('unavailable', 'The server was busy. Nothing was changed: try again', {
      retryAfter: 1,
      cause: error,
    })
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return new AppError('unavailable', 'The disk of the server is full. Nothing was changed', {
      cause: error,
    })
  const reason = messageOf(error)
  const message = code ? `The backup could not be loaded: ${reason}` : reason
  return new AppError('invalid_input', `${message}. Nothing was changed`, { cause: error })
}
