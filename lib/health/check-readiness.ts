import { sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import type { Storage } from '@/lib/storage/storage'
import type { Readiness } from './contract'

/** Balancers ask often and give up soon. */
const TIMEOUT_MS = 2_000
/** A provider counts every question, so its state is asked for this rarely. */
const STORAGE_STATE_MS = 60_000

/**
 * Whether requests can be served now. Throws `unavailable` when the database does not answer; a mail
 * or storage provider that is away shows, but most requests can do without it.
 */
export async function checkReadiness(
  deps: Pick<Deps, 'db' | 'dialect' | 'mail' | 'storage'>,
  timeoutMs = TIMEOUT_MS,
): Promise<Readiness> {
  const { db, dialect, mail, storage } = deps
  const [database, stored] = await Promise.all([
    within(timeoutMs, db.execute(sql`select 1`)),
    storageIsUp(storage.current, timeoutMs),
  ])
  if (!database) {
    const message = 'The database does not answer; try again in a moment'
    throw new AppError('unavailable', message, { retryAfter: 5 })
  }
  return {
    status: 'ready',
    database: { status: 'up', kind: dialect },
    mail: { status: mail ? 'up' : 'not configured' },
    storage: { status: stored ? 'up' : 'down', provider: storage.current.provider },
  }
}

type Checked = { at: number; up: Promise<boolean> }
const lastChecks = new WeakMap<Storage, Checked>()

function storageIsUp(storage: Storage, timeoutMs: number): Promise<boolean> {
  const last = lastChecks.get(storage)
  if (last && Date.now() - last.at < STORAGE_STATE_MS) return last.up
  const up = within(timeoutMs, storage.check())
  lastChecks.set(storage, { at: Date.now(), up })
  return up
}

/** Whether `work` succeeds in time. */
async function within(timeoutMs: number, work: PromiseLike<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const done = Promise.resolve(work).then(
    () => true,
    () => false,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
