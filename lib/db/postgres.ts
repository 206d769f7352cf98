import 'server-only'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { GuardedPool, type RawPool } from './guarded-pool'
import { SERVER_LOCKS } from './lock-keys'
import { applyMigrations } from './migrations'
import { OwnNotifications } from './own-notifications'
import { postgresBus } from './postgres-bus'
import {
  CONNECT_TIMEOUT_MS,
  cancelStatement,
  connectionOptions,
  connectOnce,
  prepareConnection,
  probeServer,
} from './postgres-connection'
import { postgresCopy } from './postgres-copy'
import { postgresLocks } from './postgres-locks'
import { refuseTransactionPooler } from './refuse-pooler'
import * as schema from './schema'
import { ServerWatch } from './server-watch'
import type { Database } from './types'

/**
 * Connects to a PostgreSQL server and brings its schema up to date. Throws when it can't be
 * reached.
 */
export async function openPostgres(url: string, poolSize: number): Promise<Database> {
  await refuseTransactionPooler(() => connectOnce(url))
  await migrateOnce(url)
  const own = new OwnNotifications()
  const pool = openPool(url, poolSize, own)
  const watch = new ServerWatch((timeoutMs) => probeServer(url, timeoutMs))
  const guarded = guard(pool, poolSize, watch)
  const bus = postgresBus(url, guarded, own)
  return {
    dialect: 'postgres',
    db: drizzle(guarded as unknown as Pool, { schema }),
    locks: postgresLocks(() => connectOnce(url), guarded),
    bus,
    copyOut: postgresCopy(() => pool.connect(), watch),
    close: async () => {
      watch.stop()
      await bus.close()
      await endInTime(pool)
    },
  }
}

function openPool(url: string, max: number, own: OwnNotifications): Pool {
  const pool = new Pool({
    ...connectionOptions(url),
    Client: PooledClient,
    connectionTimeoutMillis: 0, // would also limit the wait for a free connection, which the guarded pool limits
    max,
    idleTimeoutMillis: 60_000,
    onConnect: async (client) => {
      await prepareConnection(client)
      await own.listenOn(client)
    },
  })
  // An idle connection that breaks leaves the pool by itself.
  pool.on('error', () => {})
  // One that breaks in use fails its statements; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

class PooledClient extends Client {
  constructor(options?: ClientConfig) {
    super({ ...options, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  }
}

const CANCEL_GRACE_MS = 1_000
const ACQUIRE_MS = 6_000
const WAITING_PER_CONNECTION = 50

function guard(pool: Pool, poolSize: number, watch: ServerWatch): GuardedPool {
  return new GuardedPool(pool as unknown as RawPool, {
    cancel: (client) => cancelStatement(client as unknown as PoolClient),
    cancelGraceMs: CANCEL_GRACE_MS,
    acquireMs: ACQUIRE_MS,
    maxWaiting: WAITING_PER_CONNECTION * poolSize,
    prepares: true,
    takesCopies: true,
    watch,
  })
}

const CLOSE_MS = 5_000

/** Ends the pool after running statements; longer ones end with the process. */
async function endInTime(pool: Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS)
  })
  await Promise.race([pool.end(), late]).finally(() => clearTimeout(timer))
}

/**
 * drizzle's `migrate` takes no lock of its own, so servers that start together wait here for each
 * other.
 */
async function migrateOnce(url: string): Promise<void> {
  const client = await connectOnce(url)
  try {
    // Without a time limit: another server may be running a long migration.
    await client.query('set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [SERVER_LOCKS.migration])
    await applyMigrations(drizzle(client))
  } finally {
    await client.end() // ends the session, which releases the lock
  }
}
