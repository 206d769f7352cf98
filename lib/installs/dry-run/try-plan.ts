import { sql } from 'drizzle-orm'
import type { InstallPlan } from '@/lib/archives/plugin-file'
import { withBudget } from '@/lib/db/budget'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { isTimeout } from '@/lib/db/errors'
import type { Locks } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { FileReport } from '@/lib/installs/file-report'
import { RolledBack, runFiles, untilRolledBack } from '@/lib/installs/run/run-install'
import type { RecordsPage } from '../install-request'
import type { InstallContext } from '../points'
import type { RecordChanges } from './compare-records'
import { openShadow, type Shadowed } from './open-shadow'
import { ConflictsFound, recordTrial } from './try-records'

type Tried = {
  reports: FileReport[]
  changes: RecordChanges | null
  conflicts: ReturnType<ConflictsFound['listed']>
}

/**
 * Carries out a plan on copies in a transaction that is rolled back; others don't notice it. Waits for
 * other dry runs. `changes` or `conflicts` are those of the records of the `page`, if one is asked for.
 * Throws `unprocessable` when it takes longer than DRY_RUN_TIMEOUT_MS, `unavailable` when other dry runs
 * take too long or the client disconnects, `forbidden` for records that the installer may not read, and
 * `invalid_input` for decisions about records without a conflict.
 */
export async function tryPlan(
  { db, copyOut, locks, settings }: Pick<Deps, 'db' | 'copyOut' | 'locks' | 'settings'>,
  plan: InstallPlan,
  context: InstallContext,
  { page, signal }: { page?: RecordsPage; signal?: AbortSignal },
): Promise<Tried> {
  const ms = settings.DRY_RUN_TIMEOUT_MS
  let shadowed: ReadonlyMap<string, Shadowed> = new Map()
  const found = new ConflictsFound(context.decisions, page?.detail === 'conflicts' ? page : null)
  const originalOf = (name: string) => {
    const { isPartial, source: table, isDistributed } = shadowed.get(name) ?? {}
    return isPartial && table ? { table, isDistributed } : undefined
  }
  const trying = { ...context, originalOf }
  const trial = recordTrial({ copyOut, context: trying, found, page, shadowed: () => shadowed })
  const tryAll = () =>
    db.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config('lock_timeout', ${String(context.waitMs)}::text, true), ${ONE_AFTER_THE_OTHER}`,
      )
      const shadow = await openShadow(tx, copyOut, plan)
      shadowed = shadow.shadowed
      const running = { ...trying, onConflictFound: found.note, dryRun: trial }
      const reports = await runFiles(tx, shadow.plan, running)
      throw new RolledBack(reports.map(shadow.inOriginalNames))
    })
  const exceeded = tooSlow(ms)
  try {
    const reports = await untilRolledBack(() =>
      withBudget({ signal }, () =>
        holdDryRunLock(locks, settings.INSTALL_WAIT_MS, () => withBudget({ ms, exceeded }, tryAll)),
      ),
    )
    found.requireMet(reports ?? [])
    return { reports: reports ?? [], changes: trial.changes(), conflicts: found.listed() }
  } catch (error) {
    throw isTimeout(error) ? exceeded() : error
  }
}

/** Refers to nothing else: whatever is kept from a dry run, such as a thread, keeps its budget. */
const tooSlow = (limitMs: number) => () =>
  new AppError(
    'unprocessable',
    `The dry run took longer than ${limitMs / 1000} s and was stopped; install the archive without one, or in smaller parts`,
  )

/** Dry runs create schemas of the same names. */
const DRY_RUN_LOCK = 'dry-run'

/**
 * Runs `work` when no other dry run is in progress, in any process. Throws `unavailable` when
 * that takes longer than `waitMs`.
 */
async function holdDryRunLock<T>(locks: Locks, waitMs: number, work: () => Promise<T>): Promise<T> {
  let isTaken = false
  const begin = () => {
    isTaken = true
    return work()
  }
  try {
    return await locks.hold(DRY_RUN_LOCK, waitMs, begin)
  } catch (error) {
    const isBusy = !isTaken && error instanceof AppError && error.code === 'conflict'
    throw isBusy ? new AppError('unavailable', BUSY, { retryAfter: 10 }) : error
  }
}

const BUSY = 'Another dry run is in progress; try again when it is done'
