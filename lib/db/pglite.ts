import 'server-only'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool } from 'pg'
import { lockFolder } from './folder-lock'
import { GuardedPool } from './guarded-pool'
import { localBus } from './local-bus'
import { localLocks } from './local-locks'
import { MIGRATIONS } from './migrations'
import { pgliteCopy } from './pglite-copy'
import { startMaintenance } from './pglite-maintenance'
import { GRACE_MS, PgliteServer } from './pglite-server'
import { PgliteSocket } from './pglite-socket'
import * as schema from './schema'
import type { Database } from './types'

/** There is one connection, and an install may keep it for a while. */
const ACQUIRE_MS = 30_000
const MAX_WAITING = 500

/**
 * Opens the embedded database kept in `dataDir/pglite`, or one in memory, and brings its schema up to
 * date. Throws when another process has the folder open, naming it. `image` is the file that a new
 * database starts from instead of nothing, as `PGlite.dumpDataDir` writes it.
 */
export async function openPglite(dataDir?: string, image?: string): Promise<Database> {
  const release = dataDir ? await lockFolder(dataDir) : () => {}
  try {
    return await openLocked(dataDir, image, release)
  } catch (error) {
    release()
    throw error
  }
}

async function openLocked(
  dataDir: string | undefined,
  image: string | undefined,
  release: () => void,
): Promise<Database> {
  const server = await PgliteServer.open({ folder: dataDir ? join(dataDir, 'pglite') : null, image })
  const pool = connect(server)
  const guarded = new GuardedPool(pool, {
    cancel: () => server.cancel(),
    cancelGraceMs: 2 * GRACE_MS,
    acquireMs: ACQUIRE_MS,
    maxWaiting: MAX_WAITING,
  })
  const db = drizzle(guarded as unknown as Pool, { schema })
  await migrate(db, MIGRATIONS)
  const stopMaintenance = startMaintenance(db, server)
  return {
    dialect: 'pglite',
    db,
    locks: localLocks(),
    bus: localBus(),
    copyOut: pgliteCopy(guarded, pool),
    close: async () => {
      stopMaintenance()
      await pool.end()
      await server.close()
      release()
    },
  }
}

/** Address and names don't matter, but the driver would take them from the environment. */
function connect(server: PgliteServer): Pool {
  const pool = new Pool({
    stream: () => new PgliteSocket(server),
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
  })
  pool.on('error', () => {}) // a thread that ended while nothing ran; the next statement opens another
  return pool
}
