import 'server-only'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { emptyDatabaseFile } from './empty-database.mjs'
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
 * database starts from instead of nothing, as `PGlite.dumpDataDir` writes it. `isDurable`: a commit
 * waits until the disk has it.
 */
export async function openPglite(
  dataDir?: string,
  image?: string,
  isDurable = false,
): Promise<Database> {
  const release = dataDir ? await lockFolder(dataDir) : () => {}
  try {
    const folder = dataDir ? join(dataDir, 'pglite') : null
    const server = await PgliteServer.open({ folder, image, isDurable }).catch((error) => {
      const place = folder ? ` in ${folder}` : ''
      throw new Error(`The embedded database${place} can't be opened: ${error.message}`)
    })
    return await serve(server, release)
  } catch (error) {
    release()
    throw error
  }
}

/** What runs when the database is closed may still end in this time; then it is stopped. */
const CLOSE_GRACE_MS = 1_000

async function endPool(pool: Pool, server: PgliteServer): Promise<void> {
  // Again and again: a request that was stopped may go on to its next statement.
  const stopping = setInterval(() => void server.cancel(), CLOSE_GRACE_MS)
  await pool.end().finally(() => clearInterval(stopping))
}

/** The `image` that the build made; undefined without a build, and the first start takes some seconds more. */
export function builtImage(): string | undefined {
  const root = process.cwd()
  const file = resolve(/* turbopackIgnore: true */ root, emptyDatabaseFile(root))
  return existsSync(file) ? file : undefined
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
      await endPool(pool, server)
      await server.close()
      release()
    },
  }
}
