import 'server-only'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { lockFolder } from './folder-lock'
import { localBus } from './local-bus'
import { localLocks } from './local-locks'
import { applyMigrations } from './migrations'
import { OwnNotifications } from './own-notifications'
import { pgliteCopy } from './pglite-copy'
import { startMaintenance } from './pglite-maintenance'
import { guardPglite, pglitePool } from './pglite-pool'
import { PgliteServer } from './pglite-server'
import * as schema from './schema'
import type { Database } from './types'

/**
 * Opens the embedded database kept in `dataDir/pglite`, or one in memory, and brings its schema up to
 * date. Throws when another process has the folder open, naming it. `image` is the file that a new
 * database starts from instead of nothing, as `PGlite.dumpDataDir` writes it.
 */
export async function openPglite(dataDir?: string, image?: string): Promise<Database> {
  const release = dataDir ? await lockFolder(dataDir) : () => {}
  try {
    const folder = dataDir ? join(dataDir, 'pglite') : null
    const server = await PgliteServer.open({ folder, image }).catch((error) => {
      const place = folder ? ` in ${folder}` : ''
      throw new Error(`The embedded database${place} can't be opened: ${error.message}`)
    })
    return await serve(server, release)
  } catch (error) {
    release()
    throw error
  }
}

async function serve(server: PgliteServer, release: () => void): Promise<Database> {
  const own = new OwnNotifications()
  const pool = pglitePool(server, own.listenOn)
  const guarded = guardPglite(pool, server)
  const db = drizzle(guarded as unknown as Pool, { schema })
  await applyMigrations(db)
  const stopMaintenance = startMaintenance(db, server)
  return {
    dialect: 'pglite',
    db,
    locks: localLocks(),
    bus: localBus(own),
    copyOut: pgliteCopy(guarded, pool),
    close: async () => {
      stopMaintenance()
      await pool.end()
      await server.close()
      release()
    },
  }
}
