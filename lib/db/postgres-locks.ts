import { setTimeout as delay } from 'node:timers/promises'
import type { ReservedSql, Sql } from 'postgres'
import { AppError } from '@/lib/errors'
import type { Acquire, Locks } from './types'

const RETRY_MS = 100

/** Session-level advisory locks, each holder on a reserved connection: the server frees them with it. */
export const postgresLocks = (client: Sql): Locks => ({
  hold: async (key, waitMs, work) => {
    const session = await client.reserve()
    try {
      const acquire: Acquire = (more, wait) => take(session, more, wait)
      await acquire(key, waitMs)
      return await work(acquire)
    } finally {
      await session`select pg_advisory_unlock_all()`.finally(() => session.release())
    }
  },
  isHeld: async (key) => {
    // A lock for the length of the statement; nothing to release afterwards.
    const [row] =
      await client`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as free`
    return !row?.free
  },
})

async function take(session: ReservedSql, key: string, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs
  for (;;) {
    const [row] = await session`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`
    if (row?.taken) return
    if (Date.now() >= until) throw busy(key)
    await delay(RETRY_MS)
  }
}

export const busy = (key: string) =>
  new AppError('conflict', `Another operation on "${key}" is running; try again when it is done`)
