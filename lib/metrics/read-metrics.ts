import { count, sql } from 'drizzle-orm'
import { installs } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { clusterMetrics } from './cluster-metrics'
import { metrics } from './metrics'

type MetricDeps = Pick<Deps, 'db' | 'dialect' | 'settings' | 'replicas'>

/**
 * All metrics in the text format of Prometheus, of all workers together; figures of the database are
 * queried now.
 */
export async function readMetrics(deps: MetricDeps) {
  const { registry } = metrics()
  const read = async () => (await clusterMetrics()) ?? (await registry.metrics())
  return { text: await withFigures(deps, read), contentType: registry.contentType }
}

/** A value of a metric; those of a histogram say by `metricName` whether they are of a bucket, the sum or the count. */
export type Sample = {
  metricName?: string
  labels: Partial<Record<string, string | number>>
  value: number
}
/** A metric and all of its values. */
export type Samples = { name: string; help: string; type: string; values: Sample[] }

/** All metrics of this process; figures of the database are queried now. */
export const readSamples = (deps: MetricDeps): Promise<Samples[]> =>
  // The library declares its types of metrics as numbers; they are words.
  withFigures(
    deps,
    async () => (await metrics().registry.getMetricsAsJSON()) as unknown as Samples[],
  )

let reading: Promise<unknown> = Promise.resolve()

/** One after another: figures of databases belong to one reading, and would be added to those of the next one. */
function withFigures<T>(deps: MetricDeps, read: () => Promise<T>): Promise<T> {
  const next = reading.then(() => readWithFigures(deps, read))
  reading = next.catch(() => {})
  return next
}

async function readWithFigures<T>(deps: MetricDeps, read: () => Promise<T>): Promise<T> {
  const { installs: byStatus, connections, replicas, replicaLag } = metrics()
  recordPoolSize(deps)
  const [counted, connected] = await Promise.all([countInstalls(deps), countConnections(deps)])
  for (const { status, count } of counted) byStatus.set({ status }, count)
  for (const { state, count } of connected) connections.set({ state }, count)
  for (const { name, status, lagMs } of deps.replicas?.states() ?? []) {
    replicas.inc({ status })
    if (lagMs !== null) replicaLag.set({ replica: name }, lagMs / 1000)
  }
  try {
    return await read()
  } finally {
    for (const figure of [byStatus, connections, replicas, replicaLag]) figure.reset()
  }
}

/** Of this process. */
export function recordPoolSize({ dialect, settings }: Pick<Deps, 'dialect' | 'settings'>): void {
  metrics().poolSize.set(dialect === 'postgres' ? settings.DATABASE_POOL_SIZE : 1)
}

const countInstalls = ({ db }: Pick<Deps, 'db'>) =>
  db.select({ status: installs.status, count: count() }).from(installs).groupBy(installs.status)

/** The embedded database has one connection, and its activity view is empty. */
async function countConnections({ db, dialect }: Pick<Deps, 'db' | 'dialect'>) {
  if (dialect === 'pglite') return [{ state: 'active', count: 1 }]
  return rows<{ state: string; count: number }>(
    db,
    sql`select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'engine' group by 1`,
  )
}
