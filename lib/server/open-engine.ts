import cluster from 'node:cluster'
import { startBackgroundJobs } from '@/lib/background-jobs'
import { bootstrap } from '@/lib/bootstrap/create-first-administrator'
import { connectionShortage, describeShortage } from '@/lib/db/connection-limit'
import { countLaterMigrations } from '@/lib/db/migrations'
import type { Deps } from '@/lib/deps'
import type { Env } from '@/lib/env'
import { createLog } from '@/lib/log'
import { startMailWorker } from '@/lib/mail/mail-worker'
import { recordPoolSize } from '@/lib/metrics/read-metrics'
import { warnOfMissingRole } from '@/lib/registration/registration-role'
import { getDeps } from '@/lib/runtime'
import { stopping } from '@/lib/stopping'
import { waitForDatabase } from '@/lib/wait-for-database'

/** Opens what requests need: the database, up to date, and the first administrator. */
export async function openEngine({ DATABASE_WAIT_MS, LOG_LEVEL }: Env): Promise<Deps> {
  const deps = await waitForDatabase(getDeps, DATABASE_WAIT_MS, createLog(LOG_LEVEL))
  await bootstrap(deps)
  await warnOfLaterVersion(deps)
  await warnOfShortage(deps)
  if (isFirstWorker()) await warnOfMissingRole(deps)
  recordPoolSize(deps)
  return deps
}

/** Both versions may serve while one replaces the other; see docs/scaling.md. */
async function warnOfLaterVersion({ db, log }: Deps): Promise<void> {
  const migrations = await countLaterMigrations(db)
  if (migrations > 0)
    log.warn({ migrations }, 'the database was brought up to date by a later version of Engine')
}

/** Of several workers the first one says it for all. */
const isFirstWorker = () => (cluster.worker?.id ?? 1) === 1

async function warnOfShortage({ db, dialect, settings, log }: Deps): Promise<void> {
  if (dialect === 'pglite' || !isFirstWorker()) return
  const shortage = await connectionShortage(db, settings).catch(() => null)
  if (shortage) log.warn(shortage, describeShortage(shortage))
}

/** Delivers mails and runs background jobs, until the server stops. */
export async function startWork(deps: Deps): Promise<void> {
  await startMailWorker(deps, stopping())
  void startBackgroundJobs(deps)
}
