import 'server-only'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client, Pool } from 'pg'
import { SERVER_LOCKS } from './lock-keys'
import { applyMigrations } from './migrations'
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
  const connect = () => connectOnce(sessions)
  await refuseTransactionPooler(connect, directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL')
  if (directUrl) await requireSameDatabase(connect, () => connectOnce(url, POOLED))
  await migrateOnce(connect)
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

/**
 * drizzle's `migrate` takes no lock of its own, so servers that start together wait here for each
 * other.
 */
async function migrateOnce(connect: () => Promise<Client>): Promise<void> {
  const client = await connect()
  try {
    // Without a time limit: another server may be running a long migration.
    await client.query('set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [SERVER_LOCKS.migration])
    await applyMigrations(drizzle(client))
  } finally {
    await client.end() // ends the session, which releases the lock
  }
}
