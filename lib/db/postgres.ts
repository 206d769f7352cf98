import 'server-only'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg'
import { GuardedPool, type RawPool } from './guarded-pool'
import { SERVER_LOCKS } from './lock-keys'
import { applyMigrations } from './migrations'
import { OwnNotifications } from './own-notifications'
import { refuseTransactionPooler, requireSameDatabase } from './poolers'
import { postgresBus } from './postgres-bus'
import {
  CONNECT_TIMEOUT_MS,
  cancelStatement,
  connectionOptions,
  connectOnce,
  LOCK_TIMEOUT,
  POOLED,
  prepareConnection,
  probeServer,
} from './postgres-connection'
import { postgresCopy } from './postgres-copy'
import { postgresLocks } from './postgres-locks'
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

const openPool = (url: string, max: number, own: OwnNotifications): Pool =>
  poolOf(url, max, async (client) => {
    await prepareConnection(client)
    await own.listenOn(client)
  })

/** Of connections to a pooler, which keep no subscriptions. */
const openPooled = (url: string, max: number): Pool =>
  poolOf(url, max, (client) => prepareConnection(client, POOLED))

function poolOf(url: string, max: number, onConnect: (client: ClientBase) => Promise<void>): Pool {
  const pool = new Pool({
    ...connectionOptions(url),
    Client: PooledClient,
    connectionTimeoutMillis: 0, // would also limit the wait for a free connection, which the guarded pool limits
    max,
    idleTimeoutMillis: 60_000,
    onConnect,
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

type Guarded = Pick<PostgresOptions, 'poolSize'> & { watch: ServerWatch; isPooled: boolean }

function guard(pool: Pool, { poolSize, watch, isPooled }: Guarded): GuardedPool {
  return new GuardedPool(pool as unknown as RawPool, {
    cancel: (client) => cancelStatement(client as unknown as PoolClient),
    cancelGraceMs: CANCEL_GRACE_MS,
    acquireMs: ACQUIRE_MS,
    maxWaiting: WAITING_PER_CONNECTION * poolSize,
    prepares: !isPooled,
    ofTransaction: isPooled ? LOCK_TIMEOUT : undefined,
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
