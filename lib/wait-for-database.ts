import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, isUnavailable, reasonOf } from '@/lib/db/errors'
import type { Log } from '@/lib/log'

const RETRY_MS = 1_000

/**
 * What `open` resolves to; while the database is away it is tried again for `waitMs`, which the log
 * says. Throws at once what waiting can't help, such as a wrong password.
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

/** Its server is away or just starting; refused credentials and unknown databases stay what they are. */
const mayCome = (error: unknown) => isUnavailable(error) && !/^(28|3D)/.test(codeOf(error))
