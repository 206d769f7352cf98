import type { ReservedSql, Sql } from 'postgres'
import { AppError } from '@/lib/errors'
import type { Locks } from './types'

/** Session-level advisory locks, each on a reserved connection: the server frees them with it. */
export const postgresLocks = (client: Sql): Locks => ({
  hold: async (key, waitMs, work) => {
    const session = await client.reserve()
    try {
      await acquire(session, key, waitMs)
      try {
        return await work()
      } finally {
        await session`select pg_advisory_unlock(hashtextextended(${key}, 0))`
      }
    } finally {
      session.release()
    }
  },
  isHeld: async (key) => {
    // A lock for the length of the statement; nothing to release afterwards.
    const [row] =
      await client`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as free`
    return !row?.free
  },
})

async function acquire(session: ReservedSql, key: string, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs
  for (;;) {
    const [row] = await session`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`
    if (row?.taken) return
    if (Date.now() >= until) throw busy(key)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export const busy = (key: string) =>
  new AppError('conflict', `Another operation on "${key}" is running; try again when it is done`)
