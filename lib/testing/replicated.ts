import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '@/lib/db/postgres'
import { Replicas } from '@/lib/db/replicas'
import type { Deps } from '@/lib/deps'
import { createLog } from '@/lib/log'
import { metrics } from '@/lib/metrics/metrics'
import { testDeps } from './deps'
import { onServer } from './on-server'
import { type OwnPostgres, startOwnPostgres } from './own-postgres'

export type Replicated = {
  deps: Deps
  primary: OwnPostgres
  replica: OwnPostgres
  /** Stops replaying on the replica, and goes on. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  /** How many reads there have been of each source. */
  reads: () => Promise<{ replica: number; primary: number; retried: number }>
}

type Options = { maxLagMs: number }

/**
 * What the tests and handlers of a file run on: a server of its own with a streaming replica. To be called where tests are defined.
 * `current()` is null, said on the terminal, where no server can be started.
 */
export function replicated(options: Options, prepare: (on: Replicated) => Promise<unknown>) {
  let on: Replicated | null = null
  const ends: (() => unknown)[] = []
  beforeAll(async () => {
    on = await start(options, ends)
    if (on) await prepare(on)
  }, START_MS)
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  return { current: () => on }
}

const START_MS = 60_000

/** Adds to `ends` what is to be called at the end, the last one first. */
async function start({ maxLagMs }: Options, ends: (() => unknown)[]): Promise<Replicated | null> {
  const primary = await startOwnPostgres()
  if (!primary) return null
  ends.push(primary.stop)
  // As servers with data to lose have it: what is committed is sent.
  await onServer(primary.url, 'alter database postgres set synchronous_commit = local')
  const { close, ...opened } = await openPostgres({ url: primary.url, poolSize: 6 })
  ends.push(close)
  const replica = await primary.replicate()
  ends.push(replica.stop)
  const log = createLog('silent')
  const addresses = { url: primary.url, replicaUrls: [replica.url] }
  const replicas = await Replicas.open({ ...addresses, poolSize: 6, maxLagMs, log })
  ends.push(() => replicas.close())
  const deps = await testDeps({ MAX_REPLICA_LAG_MS: String(maxLagMs) })
  return {
    deps: Object.assign(deps, opened, { replicas }),
    primary,
    replica,
    pause: () => onServer(replica.url, 'select pg_wal_replay_pause()'),
    resume: () => onServer(replica.url, 'select pg_wal_replay_resume()'),
    reads: readsBySource,
  }
}

async function readsBySource() {
  const { values } = await metrics().reads.get()
  const of = (source: string) => values.find(({ labels }) => labels.source === source)?.value ?? 0
  return { replica: of('replica'), primary: of('primary'), retried: of('retried') }
}
