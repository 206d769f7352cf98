import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { withBudget } from '@/lib/db/budget'
import { isTimeout } from '@/lib/db/errors'
import type { Locks } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { FileReport } from '@/lib/plugins/file-report'
import { originOf } from '@/lib/plugins/lifecycle/origin'
import type { InstallPlan } from '@/lib/plugins/plugin-file'
import { mayReveal } from '@/lib/plugins/run/installer-rights'
import type { DryRun, InstallContext } from '@/lib/plugins/run/run-file'
import { RolledBack, runFiles, untilRolledBack } from '@/lib/plugins/run/run-install'
import { compareRecords, keepBefore } from './compare-records'
import { ConflictsFound } from './conflicts-found'
import { copyGone, copyRivals } from './copy-rivals'
import { openShadow, type Shadowed } from './open-shadow'
import type { RecordChanges, RecordsPage } from './record-changes'

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
  context: Omit<InstallContext, 'dryRun'>,
  { page, signal }: { page?: RecordsPage; signal?: AbortSignal },
): Promise<Tried> {
  const ms = settings.DRY_RUN_TIMEOUT_MS
  let shadowed: ReadonlyMap<string, Shadowed> = new Map()
  let changes: RecordChanges | null = null
  const found = new ConflictsFound(context.decisions, page?.detail === 'conflicts' ? page : null)
  const dryRun: DryRun = {
    beforeRecords: async (tx, { entity, rows }, file) => {
      const target = shadowed.get(entity.name)
      // An entity that the archive moved to another table only contains the archive's records.
      if (target && isDeepStrictEqual(target.entity.table, entity.table)) {
        await copyRivals(tx, copyOut, target, shadowed, rows)
        if (target.isPartial) await copyGone(tx, copyOut, target, originOf(file, context), rows)
      }
      found.begin(file)
      if (context.decisions?.[entity.name]) requireReading(context, entity.name)
      if (page?.file !== file.path) return
      // Of an attempt that was given up.
      changes = null
      requireReading(context, entity.name)
      if (page.detail === 'records') await keepBefore(tx, entity, rows)
    },
    afterRecords: async (tx, { entity }, file) => {
      if (page?.file === file.path && page.detail === 'records')
        changes = await compareRecords(tx, entity, page)
    },
  }
  const tryAll = () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = ${sql.raw(String(context.waitMs))}`)
      shadowed = await openShadow(tx, copyOut, plan)
      throw new RolledBack(
        await runFiles(tx, plan, { ...context, onConflictFound: found.note, dryRun }),
      )
    })
  const exceeded = () => tooSlow(ms)
  try {
    const reports = await untilRolledBack(() =>
      withBudget({ signal }, () =>
        holdDryRunLock(locks, settings.INSTALL_WAIT_MS, () => withBudget({ ms, exceeded }, tryAll)),
      ),
    )
    found.requireMet(reports ?? [])
    return { reports: reports ?? [], changes, conflicts: found.listed() }
  } catch (error) {
    throw isTimeout(error) ? exceeded() : error
  }
}

function requireReading(installer: Omit<InstallContext, 'dryRun'>, entity: string): void {
  if (mayReveal(installer, entity)) return
  throw new AppError('forbidden', `The records of this file need the right "${entity}:read"`)
}

const tooSlow = (limitMs: number) =>
  new AppError(
    'unprocessable',
    `The dry run took longer than ${limitMs / 1000} s and was stopped; install the archive without one, or in smaller parts`,
  )

/** Dry runs rename schemas, which only other dry runs notice. */
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
