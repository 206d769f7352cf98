import type { Deps } from '@/lib/deps'
import 'server-only'
import { count, sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import { installs } from '@/lib/db/schema'
import { loopDelayMs } from './loop-delay'
import { metrics } from './metrics'

/** All metrics in the text format of Prometheus; figures of the database are queried now. */
export async function readMetrics(deps: Pick<Deps, 'db' | 'dialect' | 'settings'>) {
  const { registry, installs: byStatus, connections, poolSize, loopDelay } = metrics()
  const [counted, connected] = await Promise.all([countInstalls(deps), countConnections(deps)])
  byStatus.reset()
  for (const { status, count } of counted) byStatus.set({ status }, count)
  connections.reset()
  for (const { state, count } of connected) connections.set({ state }, count)
  loopDelay.set(loopDelayMs() / 1000)
  poolSize.set(deps.dialect === 'postgres' ? deps.settings.DATABASE_POOL_SIZE : 1)
  return { text: await registry.metrics(), contentType: registry.contentType }
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
