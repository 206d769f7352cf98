import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, isUnavailable, reasonOf } from '@/lib/db/errors'
import type { Log } from '@/lib/log'

const RETRY_MS = 1_000

/**
 * Returns what `open` resolves to; while the database is away, retries for `waitMs` and logs it.
 * Immediately throws errors that no retry can fix, such as a wrong password.
 */
export async function waitForDatabase<T>(
  open: () => Promise<T>,
  waitMs: number,
  log: Log,
): Promise<T> {
  const until = Date.now() + waitMs
  for (;;) {
    try {
      return await open()
    } catch (error) {
      const leftMs = until - Date.now()
      if (!mayCome(error) || leftMs <= 0) throw error
      const seconds = Math.ceil(leftMs / 1000)
      log.warn({ reason: reasonOf(error) }, `waiting for the database, for ${seconds} s at most`)
      await delay(Math.min(RETRY_MS, leftMs))
    }
  }
}

/**
 * Its server is away or starting; unlike wrong credentials or an unknown database, this may pass.
 */
const mayCome = (error: unknown) => isUnavailable(error) && !/^(28|3D)/.test(codeOf(error))
