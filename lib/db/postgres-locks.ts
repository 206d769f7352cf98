import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { AppError } from '@/lib/errors'
import { isUnavailable } from './errors'
import type { Acquire, Locks } from './types'

const RETRY_MS = 100

/** A connection of its own, and whether it broke: the server has freed its locks then. */
export type Session = { client: Sql; isLost: () => boolean }

/**
 * Session-level advisory locks. Each holder opens a connection by `connect` and closes it in the end,
 * which frees its locks whatever happened: no pool can run dry of sessions that wait for each other.
 * (A session reserved from a pool brings the process down when it is used after its connection broke.)
 */
export const postgresLocks = (connect: () => Session, pool: Sql): Locks => ({
  hold: async (key, waitMs, work) => {
    const session = connect()
    try {
      const acquire: Acquire = (more, wait) => take(session, more, wait)
      await acquire(key, waitMs)
      return await work(acquire)
    } finally {
      // A broken connection can't be closed, and holds nothing any more.
      await session.client.end({ timeout: 5 }).catch(() => {})
    }
  },
  isHeld: async (key) => {
    // A lock for the length of the statement; nothing to release afterwards.
    const [row] = await pool`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as free`
    return !row?.free
  },
})

async function take(session: Session, key: string, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs
  for (;;) {
    if (await tryLock(session, key)) return
    if (Date.now() >= until) throw busy(key)
    await delay(RETRY_MS)
  }
}

async function tryLock({ client, isLost }: Session, key: string): Promise<boolean> {
  if (isLost()) throw lost()
  try {
    const [row] = await client`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`
    // A second connection has not the locks of the first.
    if (isLost()) throw lost()
    return Boolean(row?.taken)
  } catch (error) {
    throw isUnavailable(error) ? lost(error) : error
  }
}

const lost = (cause?: unknown) =>
  new AppError('unavailable', 'The connection to the database broke; try again in a moment', {
    retryAfter: 5,
    cause,
  })

export const busy = (key: string) =>
  new AppError('conflict', `Another operation on "${key}" is running; try again when it is done`)
