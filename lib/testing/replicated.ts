import { afterAll } from 'vitest'
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
  /** Streaming replicas of it. */
  servers: OwnPostgres[]
  /** Stops replaying on a replica, and goes on. */
  pause: (server: OwnPostgres) => Promise<void>
  resume: (server: OwnPostgres) => Promise<void>
  /** How many reads there have been of each source. */
  reads: () => Promise<{ replica: number; primary: number; retried: number }>
}

type Options = { count?: number; maxLagMs: number }

/**
 * What the tests and handlers of a file run on: a server of its own with streaming replicas, of which the first
 * is up to date. Null, said on the terminal, where no server can be started.
 */
export async function startReplicated({
  count = 1,
  maxLagMs,
}: Options): Promise<Replicated | null> {
  const primary = await startOwnPostgres()
  if (!primary) return null
  afterAll(primary.stop)
  // As servers with data to lose have it: what is committed is sent.
  await onServer(primary.url, 'alter database postgres set synchronous_commit = local')
  const database = await openPostgres({ url: primary.url, poolSize: 6 })
  afterAll(database.close)
  const servers: OwnPostgres[] = []
  for (let left = count; left > 0; left--) servers.push(await primary.replicate())
  for (const server of servers) afterAll(server.stop)
  const replicaUrls = servers.map(({ url }) => url)
  const log = createLog('silent')
  const replicas = await Replicas.open({
    url: primary.url,
    replicaUrls,
    poolSize: 6,
    maxLagMs,
    log,
  })
  afterAll(() => replicas.close())
  const { close: _, ...opened } = database
  const deps = await testDeps({ MAX_REPLICA_LAG_MS: String(maxLagMs) })
  return {
    deps: Object.assign(deps, opened, { replicas }),
    primary,
    servers,
    pause: ({ url }) => onServer(url, 'select pg_wal_replay_pause()'),
    resume: ({ url }) => onServer(url, 'select pg_wal_replay_resume()'),
    reads: readsBySource,
  }
}

async function readsBySource() {
  const { values } = await metrics().reads.get()
  const of = (source: string) => values.find(({ labels }) => labels.source === source)?.value ?? 0
  return { replica: of('replica'), primary: of('primary'), retried: of('retried') }
}
