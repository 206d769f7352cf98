import type { Locks } from '@/lib/db/types'
import { AppError } from '@/lib/errors'

/** Dry runs rename schemas, which only other dry runs notice. */
const DRY_RUN_LOCK = 'dry-run'

/**
 * Runs `work` when no other dry run is in progress, in any process. Throws `unavailable` when
 * that takes longer than `waitMs`.
 */
export async function holdDryRunLock<T>(
  locks: Locks,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
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
