import { sql } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import { readCluster } from '@/lib/db/cluster'
import { connectionShortage } from '@/lib/db/connection-limit'
import { EXHAUSTED, isExhausted, refusalIn } from '@/lib/db/errors'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Storage } from '@/lib/storage/storage'
import type { Readiness } from './contract'

/** Load balancers ask often and have short timeouts. */
const TIMEOUT_MS = 2_000
/** Providers count every request, so their state is checked this rarely. */
const STORAGE_STATE_MS = 60_000
/** After a failure, which may be over soon. */
const STORAGE_DOWN_MS = 5_000

/**
 * Whether requests can be served now. Throws `unavailable` when the database does not respond; the
 * result shows a mail or storage provider that is down, since most requests don't need them.
 */
export async function checkReadiness(
  deps: Pick<Deps, 'db' | 'dialect' | 'settings' | 'replicas' | 'mail' | 'storage'>,
  timeoutMs = TIMEOUT_MS,
): Promise<Readiness> {
  const { db, dialect, settings, replicas, mail, storage } = deps
  const [failure, stored, cluster] = await Promise.all([
    dialect === 'pglite' ? whyClosed(db, timeoutMs) : whyAway(db, timeoutMs),
    storageIsUp(storage.current, timeoutMs),
    dialect === 'pglite' ? null : clusterState(db, timeoutMs),
  ])
  if (failure !== null) {
    const message = isExhausted(failure) ? EXHAUSTED : AWAY
    throw new AppError('unavailable', message, { retryAfter: 5 })
  }
  const connections =
    dialect === 'pglite' ? null : await connectionShortage(db, settings).catch(() => null)
  return {
    status: 'ready',
    database: {
      status: 'up',
      kind: dialect,
      ...(cluster && { cluster }),
      ...(connections && { connections }),
    },
    ...(replicas && {
      replicas: replicas.states().map(({ status, lagMs }) => ({ status, lagMs })),
    }),
    mail: { status: mail ? 'up' : 'not configured' },
    storage: { status: stored ? 'up' : 'down', provider: storage.current.provider },
  }
}

const AWAY = 'The database does not respond; try again in a moment'

type Check = { at: number; state: 'running' | 'up' | 'down'; done: Promise<void> }
const lastChecks = new WeakMap<Storage, Check>()

/** A check that is slow counts as down until it ends; its outcome is what counts from then on. */
function storageIsUp(storage: Storage, timeoutMs: number): Promise<boolean> {
  const last = lastChecks.get(storage)
  const check = last && isFresh(last) ? last : beginCheck(storage)
  return isDone(timeoutMs, check.done)
}

const isFresh = ({ at, state }: Check) =>
  Date.now() - at < (state === 'down' ? STORAGE_DOWN_MS : STORAGE_STATE_MS)

function beginCheck(storage: Storage): Check {
  const check: Check = { at: Date.now(), state: 'running', done: storage.check() }
  check.done.then(
    () => {
      check.state = 'up'
    },
    () => {
      check.state = 'down'
    },
  )
  lastChecks.set(storage, check)
  return check
}

/** Whether PostgreSQL or the embedded database responds to a query now. */
export const databaseResponds = async (db: Db, timeoutMs: number): Promise<boolean> =>
  (await whyAway(db, timeoutMs)) === null

/** Null when it responds in time. */
const whyAway = (db: Db, timeoutMs: number): Promise<unknown> =>
  failureWithin(
    timeoutMs,
    withOwnBudget({ ms: timeoutMs }, () => db.execute(sql`select 1`)),
  )

/**
 * Null when the embedded database is open: its only connection may be busy for longer than the limit.
 */
function whyClosed(db: Db, timeoutMs: number): Promise<unknown> {
  const asked = withOwnBudget({ ms: timeoutMs }, () => db.execute(sql`select 1`))
  // A statement that times out shows a busy database; without any result in time it is down.
  const responded = Promise.resolve(asked).catch((error) => {
    if (refusalIn(error) === null) throw error
  })
  return failureWithin(2 * timeoutMs, responded)
}

const isDone = async (timeoutMs: number, work: Promise<unknown>): Promise<boolean> =>
  (await failureWithin(timeoutMs, work)) === null

const LATE = new Error('No response in time')

/** Null when `work` succeeds in time; otherwise what it throws, or that it is late. */
async function failureWithin(timeoutMs: number, work: PromiseLike<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<unknown>((resolve) => {
    timer = setTimeout(() => resolve(LATE), timeoutMs)
  })
  const done = Promise.resolve(work).then(
    () => null,
    (error: unknown) => error ?? LATE,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

type ClusterState = NonNullable<Readiness['database']['cluster']>

/** Each check asks every worker, and load balancers ask often. */
const STATE_MS = 2_000
const last = new WeakMap<Db, { at: number; state: Promise<ClusterState | null> }>()

/** The workers of a cluster, at most 2 s ago; null when the database is none, or when it can't say in time. */
export function clusterState(db: Db, timeoutMs: number): Promise<ClusterState | null> {
  const known = last.get(db)
  if (known && Date.now() - known.at < STATE_MS) return known.state
  const asked = withOwnBudget({ ms: timeoutMs }, () => ask(db)).then(
    (found) => ({ found }),
    () => null,
  )
  const answer = Promise.race([asked, late(timeoutMs)])
  const state = answer.then((input) => input?.found ?? null)
  last.set(db, { at: Date.now(), state })
  // No answer is not kept: the next check asks again.
  void answer.then((input) => {
    if (!input && last.get(db)?.state === state) last.delete(db)
  })
  return state
}

const late = (timeoutMs: number) =>
  new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), timeoutMs).unref()
  })

/** What was promised to be committed and waits: Citus looks after it once a minute. */
const UNRESOLVED = `select count(*) from pg_prepared_xacts where gid like 'citus\\_%'
  and database = current_database() and prepared < now() - interval '5 s'`

async function ask(db: Db): Promise<ClusterState | null> {
  if (!(await readCluster(db))) return null
  return one(
    await rows<ClusterState>(
      db,
      sql`select count(*)::int as workers, count(*) filter (where not success)::int as unreachable,
            coalesce(sum(case when success then result::int end), 0)::int as unresolved
          from run_command_on_workers(${UNRESOLVED}::text)`,
    ),
  )
}
