import { type LastBackups, readLastBackups } from '@/lib/audit/last-backups'
import { recordAudit } from '@/lib/audit/record-audit'
import { type BackupStore, backupStore } from '@/lib/backup-files/store'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'
import { stopping } from '@/lib/stopping'
import { beginBackup } from './begin-backup'
import { sessionOf } from './open-session'
import { pack } from './pack'
import { isDue } from './schedule/due'
import { isDraft, nameAt, verifiedMark } from './schedule/file-names'
import { outdated } from './schedule/retention'
import { recordVerified } from './schedule/verified-marks'
import { writeBackup } from './write-backup'

/** After one that failed: what is in the way is seldom over at once, and reading everything is dear. */
const RETRY_MS = 15 * 60_000

const running = new WeakMap<object, Promise<void>>()
const notBefore = new WeakMap<object, number>()

/**
 * Makes the backup that is due by `BACKUP_SCHEDULE`, unless another server on the database does, and records which were verified. Resolves when
 * it is made, and at once without a schedule. Failures are logged.
 */
export function runSchedule(deps: Deps): Promise<void> {
  if (deps.settings.BACKUP_SCHEDULE.length === 0) return Promise.resolve()
  const before = running.get(deps.db)
  if (before) return before
  const signal = stopping()
  const store = backupStore(deps.settings, signal)
  if (!store) return Promise.resolve()
  const run = withOwnBudget({ signal }, () => look(deps, store, signal))
    .catch((error) => {
      // Another server makes it.
      if (signal.aborted || (error instanceof AppError && error.code === 'conflict')) return
      notBefore.set(deps.db, Date.now() + RETRY_MS)
      deps.log.error({ job: 'backup', error: messageOf(error) }, 'the backup was not made')
    })
    .finally(() => running.delete(deps.db))
  running.set(deps.db, run)
  return run
}

async function look(deps: Deps, store: BackupStore, signal: AbortSignal): Promise<void> {
  const last = show(await readLastBackups(deps.db))
  await recordVerified(deps.db, store, await store.names())
  if (!isDueNow(deps, last) || Date.now() < (notBefore.get(deps.db) ?? 0)) return
  const { folder, end } = await beginBackup(deps)
  try {
    // Another server may have made it meanwhile.
    if (!isDueNow(deps, await readLastBackups(deps.db))) return
    await write(deps, { folder, store, signal })
  } finally {
    await end()
  }
  show(await readLastBackups(deps.db))
}

const isDueNow = ({ settings }: Deps, { written, now }: LastBackups) =>
  isDue(settings.BACKUP_SCHEDULE, written, now)

function show(last: LastBackups): LastBackups {
  const { backups } = metrics()
  backups.set({ what: 'written' }, last.written ?? 0)
  backups.set({ what: 'verified' }, last.verified ?? 0)
  return last
}

type Places = { folder: string; store: BackupStore; signal: AbortSignal }

async function write(deps: Deps, { folder, store, signal }: Places): Promise<void> {
  const { db, settings, secret, log } = deps
  await removeFiles(store, (await store.names()).filter(isDraft))
  const session = await sessionOf(deps)
  const manifest = await writeBackup(
    { session, dataDir: settings.DATA_DIR, secret, signal },
    folder,
  ).finally(() => session.close())
  const name = nameAt(new Date(manifest.createdAt))
  const bytes = await store.add(name, (path) => pack(folder, path, settings.BACKUP_KEY))
  const details = {
    bytes,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    images: manifest.images.length,
  }
  const entry = { action: 'backup.write', objectType: 'backup', objectId: name, details }
  await recordAudit(db, { type: 'system' }, entry)
  log.info({ file: name, ...details }, 'backup written')
  const names = await store.names()
  const old = outdated(names, settings.BACKUP_KEEP).flatMap((one) => [one, verifiedMark(one)])
  await removeFiles(
    store,
    old.filter((one) => names.includes(one)),
  )
}

async function removeFiles(store: BackupStore, names: readonly string[]): Promise<void> {
  for (const name of names) await store.remove(name)
}
