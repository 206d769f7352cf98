import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { AppError } from '@/lib/errors'
import { currentBudget, requireBudget } from './budget'
import { asLost, isUnavailable } from './errors'
import type { GuardedPool } from './guarded-pool'
import type { Lock, Locks } from './sql'

const RETRY_MS = 100
/**
 * The server responds to a lock request immediately; without a response in this time it is lost.
 */
const RESPONSE_MS = 10_000

/**
 * Session-level advisory locks. Each holder opens a connection by `connect` and closes it in the
 * end, which releases its locks in every case: a pool could be exhausted by sessions that wait for
 * each other.
 */
export function postgresLocks(connect: () => Promise<Client>, pool: GuardedPool): Locks {
  const open = async (key: string, waitMs: number): Promise<Lock> => {
    const session = await connect().catch((error) => {
      throw asLost(error)
    })
    const lock: Lock = {
      also: (more, wait) => take(session, more, wait),
      release: () => end(session),
    }
    try {
      await lock.also(key, waitMs)
      return lock
    } catch (error) {
      await lock.release()
      throw error
    }
  }
  return {
    take: open,
    hold: holdBy(open),
    isHeld: async (key) => {
      // A lock for the duration of the statement; nothing to release afterwards.
      const statement = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free'
      const { rows } = (await pool.query(statement, [key])) as { rows: { free: boolean }[] }
      return !rows[0]?.free
    },
  }
}

/** `hold` of locks that are taken by `take`. */
const holdBy =
  (take: Locks['take']): Locks['hold'] =>
  async (key, waitMs, work) => {
    const lock = await take(key, waitMs)
    try {
      return await work(lock.also)
    } finally {
      await lock.release()
    }
  }

const END_MS = 1_000

/** Releases the locks. A broken connection can't be closed, and holds no locks. */
async function end(session: Client): Promise<void> {
  await Promise.race([session.end().catch(() => {}), delay(END_MS)])
}

async function take(session: Client, key: string, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs
  for (;;) {
    requireBudget(currentBudget())
    if (await tryLock(session, key)) return
    if (Date.now() >= until) throw busy(key)
    await delay(RETRY_MS)
  }
}

async function tryLock(session: Client, key: string): Promise<boolean> {
  const text = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken'
  const statement = { text, values: [key], query_timeout: RESPONSE_MS }
  try {
    const { rows } = await session.query(statement as { text: string; values: string[] })
    return Boolean(rows[0]?.taken)
  } catch (thrown) {
    const error = asLost(thrown)
    throw isUnavailable(error) ? lost(error) : error
  }
}

const lost = (cause?: unknown) =>
  new AppError('unavailable', 'The connection to the database broke; try again in a moment', {
    retryAfter: 5,
    cause,
  })

const busy = (key: string) =>
  new AppError('conflict', `Another operation on "${key}" is running; try again when it is done`)

/** Locks within this process, granted in the order of the calls. */
export function localLocks(): Locks {
  const queues = new Map<string, (() => void)[]>()

  function acquire(key: string, waitMs: number): Promise<void> {
    const queue = queues.get(key)
    if (!queue) {
      queues.set(key, [])
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(enter), 1)
        reject(busy(key))
      }, waitMs)
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.push(enter)
    })
  }

  function free(key: string): void {
    const next = queues.get(key)?.shift()
    if (next) next()
    else queues.delete(key)
  }

  const take = async (key: string, waitMs: number): Promise<Lock> => {
    const held: string[] = []
    let isReleased = false
    const release = async () => {
      isReleased = true
      for (const taken of held.splice(0).reverse()) free(taken)
    }
    const also = async (more: string, wait: number) => {
      await acquire(more, wait)
      held.push(more)
      // Whoever waited for it has given up meanwhile.
      if (isReleased) await release()
    }
    await also(key, waitMs)
    return { also, release }
  }

  return { take, hold: holdBy(take), isHeld: async (key) => queues.has(key) }
}

/**
 * Numeric keys of PostgreSQL's advisory locks: any numbers that are the same on every server and
 * differ from each other. (Locks by name are `Locks`.)
 */
export const SERVER_LOCKS = {
  /** Servers that start together migrate the schema one after the other. */
  migration: 7_262_001,
  /** Serialises changes of definitions. */
  definitions: 7_262_002,
  /** Serialises changes of administrators: the last one must stay. */
  administrators: 7_262_003,
  /** Serialises the creation of the first administrator. */
  firstAdministrator: 7_262_004,
} as const
