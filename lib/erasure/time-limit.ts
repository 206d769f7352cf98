import { type Budget, withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'

/**
 * Runs an erasure, which reads all tables and so takes longer than other changes, for `ERASURE_TIMEOUT_MS` at most. A dry run, which costs as
 * much, ends when its client leaves.
 */
export function inErasureTime<T>(
  { settings }: Pick<Deps, 'settings'>,
  { dryRun, client }: { dryRun: boolean; client: Budget['client'] },
  work: () => Promise<T>,
): Promise<T> {
  const ms = settings.ERASURE_TIMEOUT_MS
  const exceeded = () => tooSlow(ms)
  return withOwnBudget({ ms, exceeded, client: dryRun ? client : undefined }, work)
}

const tooSlow = (ms: number) =>
  new AppError(
    'unavailable',
    `The erasure took longer than ${ms / 1000} seconds and was stopped; nothing was erased. Try again when the server has less to do, or raise ERASURE_TIMEOUT_MS`,
    { retryAfter: 60 },
  )
