import { sql } from 'drizzle-orm'
import { isTimeout } from '@/lib/db/errors'
import { SERVER_LOCKS } from '@/lib/db/lock-keys'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import type { FileReport } from './file-report'
import type { InstallPlan } from './install-plan'
import type { DryRun, InstallContext } from './run-file'
import { attempt } from './run-install'
import { copyRivals } from './shadow/copy-rivals'
import { openShadow, type Shadowed } from './shadow/open-shadow'

/**
 * Carries out a plan against copies in a transaction that is rolled back: others read and write as if
 * it were not there. Throws `unprocessable` when it takes longer than DRY_RUN_TIMEOUT_MS.
 */
export async function tryPlan(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  plan: InstallPlan,
  context: Omit<InstallContext, 'dryRun'>,
): Promise<FileReport[]> {
  const limitMs = settings.DRY_RUN_TIMEOUT_MS
  const deadline = performance.now() + limitMs
  const beforeFile = async (tx: Db) => {
    const left = Math.ceil(deadline - performance.now())
    if (left <= 0) throw tooSlow(limitMs)
    await tx.execute(sql`set local statement_timeout = ${sql.raw(String(left))}`)
  }
  let shadowed: ReadonlyMap<string, Shadowed> = new Map()
  const dryRun: DryRun = {
    beforeFile,
    beforeRecords: async (tx, { entity, rows }) => {
      const target = shadowed.get(entity.name)
      if (target) await copyRivals(tx, target, shadowed, rows)
    },
  }
  const prepare = async (tx: Db) => {
    await beforeFile(tx)
    await tx.execute(sql`set local lock_timeout = ${sql.raw(String(context.waitMs))}`)
    await tx.execute(sql`select pg_advisory_xact_lock(${SERVER_LOCKS.dryRun}::bigint)`)
    shadowed = await openShadow(tx, plan.files)
  }
  try {
    return await attempt(db, plan, { ...context, dryRun }, async () => false, prepare)
  } catch (error) {
    throw isTimeout(error) ? tooSlow(limitMs) : error
  }
}

const tooSlow = (limitMs: number) =>
  new AppError(
    'unprocessable',
    `The dry run took longer than ${limitMs / 1000} s and was stopped; install the archive without one, or in smaller parts`,
  )
