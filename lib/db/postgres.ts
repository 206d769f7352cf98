import 'server-only'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { migrateOnce } from './migrate-once'
import { applyMigrations } from './migrations'
import { named } from './named-connection'
import { OwnNotifications } from './own-notifications'
import { refuseTransactionPooler, requireSameDatabase } from './poolers'
import { postgresBus } from './postgres-bus'
import { connectOnce, POOLED, probeServer } from './postgres-connection'
import { postgresCopy } from './postgres-copy'
import { postgresLocks } from './postgres-locks'
import { endInTime, guard, openPool, openPooled } from './postgres-pool'
import * as schema from './schema'
import { ServerWatch } from './server-watch'
import type { Database } from './types'

/** `url` and `directUrl`: see `DATABASE_URL` and `DATABASE_DIRECT_URL`. */
export type PostgresOptions = { url: string; directUrl?: string | undefined; poolSize: number }

/**
 * Connects to a PostgreSQL server and brings its schema up to date. Throws when it can't be
 * reached. With `directUrl`, statements and transactions go to `url`, where a pooler may give each of them another
 * connection, and all that belongs to a session (locks, subscriptions, migrations) to `directUrl`.
 */
export async function openPostgres({
  url,
  directUrl,
  poolSize,
}: PostgresOptions): Promise<Database> {
  const sessions = directUrl ?? url
  const variable = directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const connect = () => named(variable, sessions, connectOnce(sessions))
  await refuseTransactionPooler(connect, variable)
  const connectPooled = () => named('DATABASE_URL', url, connectOnce(url, POOLED))
  if (directUrl) await requireSameDatabase(connect, connectPooled)
  await migrateOnce(connect, (db) => named(variable, sessions, applyMigrations(db)))
  const own = new OwnNotifications()
  const pool = directUrl ? openPooled(url, poolSize) : openPool(url, poolSize, own)
  const watch = new ServerWatch((timeoutMs) => probeServer(url, timeoutMs))
  const guarded = guard(pool, { poolSize, watch, isPooled: directUrl !== undefined })
  const bus = postgresBus(sessions, guarded, own)
  return {
    dialect: 'postgres',
    db: drizzle(guarded as unknown as Pool, { schema }),
    locks: postgresLocks(connect, guarded),
    bus,
    copyOut: postgresCopy(() => pool.connect(), watch),
    close: async () => {
      watch.stop()
      await bus.close()
      await endInTime(pool)
    },
  }
}
