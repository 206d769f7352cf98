import { join } from 'node:path'
import { added } from '@/lib/around'
import { runSchedule } from '@/lib/backup/run-schedule'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { messageOf } from '@/lib/errors'
import { startExports, sweepExports } from '@/lib/export/start-exports'
import { sweepTemporaryFiles } from '@/lib/http/temporary-files'
import { startImageUpkeep } from '@/lib/images/start-image-upkeep'
import { sweepImports } from '@/lib/import/sweep-imports'
import { sweepInstalls } from '@/lib/installs/sweep-installs'
import { sweepOld } from '@/lib/retention/sweep-old'
import { assignAllRoles } from '@/lib/scim/assign-all-roles'
import { encryptAgain } from '@/lib/secrets/encrypt-again'
import { startPromotions } from '@/lib/servers/start-promotions'
import { stopping } from '@/lib/stopping'
import { settleQuiet } from '@/lib/tables/settle-pending'
import { sweepExpired } from '@/lib/users/sweep-expired'

type Job = { name: string; intervalMs: number; run: (deps: Deps) => Promise<unknown> }

declare module '@/lib/around' {
  interface Lists {
    jobs: Job
  }
}

/**
 * What runs periodically on every instance, in one of its processes; each job must allow concurrent
 * runs on several.
 */
const JOBS: readonly Job[] = [
  // The history of an install says within half a minute that its process or database was killed.
  { name: 'sweep installs', intervalMs: 15_000, run: sweepInstalls },
  { name: 'settle what plugins gave', intervalMs: 15_000, run: settleQuiet },
  { name: 'sweep links and limits', intervalMs: 3_600_000, run: sweepExpired },
  { name: 'sweep audit log and mails', intervalMs: 3_600_000, run: sweepOld },
  { name: 'roles of groups', intervalMs: 3_600_000, run: assignAllRoles },
  { name: 'encrypt again', intervalMs: 600_000, run: encryptAgain },
  { name: 'prepare exports', intervalMs: 15_000, run: async (deps) => void startExports(deps) },
  { name: 'promotions', intervalMs: 15_000, run: async (deps) => void startPromotions(deps) },
  { name: 'sweep exports', intervalMs: 3_600_000, run: sweepExports },
  { name: 'sweep imports', intervalMs: 30_000, run: sweepImports },
  { name: 'backups', intervalMs: 60_000, run: async (deps) => void runSchedule(deps) },
  { name: 'image upkeep', intervalMs: 60_000, run: startImageUpkeep },
]

/** In every process: one touches the uploads that it receives, and removes those of dead ones. */
const SWEEP_UPLOADS: Job = { name: 'sweep uploads', intervalMs: 120_000, run: sweepUploads }

/** Uploads of living processes are touched by each sweep, so they never get this old. */
const UPLOAD_AGE_MS = 480_000

function sweepUploads({ settings }: Deps): Promise<number> {
  return sweepTemporaryFiles(join(settings.DATA_DIR, 'tmp'), UPLOAD_AGE_MS)
}

/**
 * Runs every job now and periodically until the server stops. Resolves after the first round, which
 * may take long: the start does not wait for it.
 */
export async function startBackgroundJobs(deps: Deps): Promise<void> {
  for (const job of [...JOBS, ...added(deps, 'jobs')]) await repeat(deps, job)
}

export const startUploadSweeps = (deps: Deps): Promise<void> => repeat(deps, SWEEP_UPLOADS)

async function repeat(deps: Deps, job: Job): Promise<void> {
  const signal = stopping()
  await runJob(deps, job, signal)
  const timer = setInterval(() => void runJob(deps, job, signal), job.intervalMs).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** Only a faulty job takes this long; the next round continues where this one ended. */
const MAX_JOB_MS = 10 * 60_000

async function runJob(deps: Deps, { name, run }: Job, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  try {
    await withOwnBudget({ ms: MAX_JOB_MS, signal }, () => run(deps))
  } catch (error) {
    if (signal.aborted) return
    deps.log.error({ job: name, error: messageOf(error).slice(0, 300) }, 'background job failed')
  }
}
