import 'server-only'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg'
import { GuardedPool, type RawPool } from './guarded-pool'
import type { OwnNotifications } from './own-notifications'
import {
  CONNECT_TIMEOUT_MS,
  cancelStatement,
  connectionOptions,
  LOCK_TIMEOUT,
  POOLED,
  prepareConnection,
} from './postgres-connection'
import type { ServerWatch } from './server-watch'

/** Of connections that keep settings and, with `own`, subscriptions. */
export const openPool = (url: string, max: number, own?: OwnNotifications): Pool =>
  poolOf(url, max, async (client) => {
    await prepareConnection(client)
    await own?.listenOn(client)
  })

/** Of connections to a pooler, which keep no subscriptions. */
export const openPooled = (url: string, max: number): Pool =>
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

type Guarded = { poolSize: number; watch: ServerWatch; isPooled: boolean }

/** `isPooled`: it has connections to a pooler. */
export function guard(pool: Pool, { poolSize, watch, isPooled }: Guarded): GuardedPool {
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
export async function endInTime(pool: Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS)
  })
  await Promise.race([pool.end(), late]).finally(() => clearTimeout(timer))
}
