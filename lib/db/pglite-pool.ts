import { type ClientBase, Pool } from 'pg'
import { GuardedPool, type RawPool } from './guarded-pool'
import { GRACE_MS, type PgliteServer } from './pglite-server'
import { PgliteSocket } from './pglite-socket'

/** There is one connection, and an install may hold it for a while. */
const ACQUIRE_MS = 30_000
const MAX_WAITING = 500

/** The one connection to the embedded database; `onConnect` is called with each new one. */
export function pglitePool(
  server: PgliteServer,
  onConnect?: (client: ClientBase) => Promise<void>,
): Pool {
  const pool = new Pool({
    stream: () => new PgliteSocket(server),
    max: 1,
    idleTimeoutMillis: 0,
    onConnect,
    // Not used here, but the driver would read them from the environment.
    host: 'localhost',
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
  })
  // A thread that ends fails its statements; without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export const guardPglite = (pool: Pool, server: PgliteServer) =>
  new GuardedPool(pool as unknown as RawPool, {
    cancel: () => server.cancel(),
    cancelGraceMs: 2 * GRACE_MS,
    acquireMs: ACQUIRE_MS,
    maxWaiting: MAX_WAITING,
    yields: true,
  })
