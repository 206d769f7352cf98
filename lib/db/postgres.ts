import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg'
import postgres, { type Sql } from 'postgres'
import { currentBudget, withOwnBudget } from './budget'
import { OwnNotifications } from './bus'
import { type CopyOut, CopyStream, copyText, inlined } from './copy-out'
import { asLost } from './errors'
import { GuardedPool, type RawPool } from './guarded-pool'
import { postgresLocks } from './locks'
import { applyMigrations, migrateOnce } from './migrations'
import { refuseTransactionPooler, requireSameDatabase } from './poolers'
import {
  CONNECT_TIMEOUT_MS,
  cancelStatement,
  connectionOptions,
  connectOnce,
  LOCK_TIMEOUT,
  named,
  POOLED,
  prepareConnection,
  probeServer,
} from './postgres-connection'
import * as schema from './schema'
import { ServerWatch } from './server-watch'
import { SpareConnections } from './spare-connections'
import type { Bus, Database } from './sql'

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
    connectAlone: async () => {
      const client = await connect()
      return { client, release: () => client.end() }
    },
    close: async () => {
      watch.stop()
      await bus.close()
      await endInTime(pool)
    },
  }
}

/** Of connections that keep settings and, with `own`, subscriptions. */
export const openPool = (url: string, max: number, own?: OwnNotifications): SpareConnections =>
  poolOf(url, max, async (client) => {
    await prepareConnection(client)
    await own?.listenOn(client)
  })

/** Of connections to a pooler, which keep no subscriptions. */
export const openPooled = (url: string, max: number): SpareConnections =>
  poolOf(url, max, (client) => prepareConnection(client, POOLED))

function poolOf(
  url: string,
  max: number,
  onConnect: (client: ClientBase) => Promise<void>,
): SpareConnections {
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
  return new SpareConnections(pool)
}

class PooledClient extends Client {
  constructor(options: ClientConfig = {}) {
    // The pool hides its password from copies.
    const { password } = options
    super({ ...options, password, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  }
}

const CANCEL_GRACE_MS = 1_000
const ACQUIRE_MS = 6_000
const WAITING_PER_CONNECTION = 50

type Guarded = { poolSize: number; watch: ServerWatch; isPooled: boolean }

/** `isPooled`: it has connections to a pooler. */
export function guard(pool: SpareConnections, { poolSize, watch, isPooled }: Guarded): GuardedPool {
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
export async function endInTime(pool: SpareConnections): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS)
  })
  await Promise.race([pool.end(), late]).finally(() => clearTimeout(timer))
}

/** One COPY on a connection of its own; it reads one snapshot. */
export const postgresCopy = (connect: () => Promise<PoolClient>, watch: ServerWatch): CopyOut =>
  async function* copy({ query, format }, signal) {
    signal.throwIfAborted()
    const budget = currentBudget()
    watch.requireLife(budget)
    const client = await connect().catch((error) => {
      throw asLost(error)
    })
    const stream = client.query(new CopyStream(copyText(inlined(query), format, 'stdout')))
    const stop = () => stream.destroy(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (signal.aborted) stop()
      const chunks = stream.iterator()
      for (;;) {
        const next = await watch.wait(chunks.next(), budget, () => stream.destroy())
        if (next.done) return
        yield next.value as Buffer
      }
    } catch (error) {
      throw asLost(error)
    } finally {
      signal.removeEventListener('abort', stop)
      release(client, stream)
    }
  }

/** Stops a COPY that was not read to its end, and closes its connection. */
function release(client: PoolClient, stream: CopyStream): void {
  stream.destroy()
  const close = () => client.release(true)
  if (stream.isOver) client.release()
  else cancelStatement(client).then(close, close)
}

/** Messages are lost until a broken connection is reopened. */
const RECONNECT_SECONDS = 1
/** A hint that takes longer than this is given up. */
const PUBLISH_MS = 5_000
const CLOSE_SECONDS = 1

/**
 * LISTEN and NOTIFY. postgres.js keeps one connection that listens to all channels, opened by the
 * first subscription, and listens again after it broke. What the connections of the pool hear
 * themselves, `own`, is delivered too, so a message may come twice.
 */
export function postgresBus(
  url: string,
  pool: GuardedPool,
  own: OwnNotifications,
): Bus & { close(): Promise<void> } {
  const client = listeningClient(url)
  return {
    publish: async (channel, payload) => {
      await withOwnBudget({ ms: PUBLISH_MS }, () =>
        pool.query('select pg_notify($1, $2)', [channel, payload]),
      )
    },
    subscribe: async (channel, listener) => {
      const unsubscribe = own.subscribe(channel, listener)
      const { unlisten } = await client.listen(channel, listener).catch((error) => {
        unsubscribe()
        throw error
      })
      return () => {
        unsubscribe()
        void unlisten().catch(() => {}) // a broken connection has no subscriptions
      }
    },
    close: () => client.end({ timeout: CLOSE_SECONDS }),
  }
}

const listeningClient = (url: string): Sql =>
  postgres(url, {
    max: 1,
    onnotice: () => {},
    connect_timeout: CONNECT_TIMEOUT_MS / 1000,
    backoff: () => RECONNECT_SECONDS,
    connection: { application_name: 'engine' },
  })
