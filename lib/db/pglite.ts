import 'server-only'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { lockFolder } from './folder-lock'
import { localBus } from './local-bus'
import { localLocks } from './local-locks'
import { MIGRATIONS } from './migrations'
import { pgliteCopy } from './pglite-copy'
import * as schema from './schema'
import type { Database } from './types'

/** PGlite keeps no statistics and reclaims nothing by itself. */
const MAINTENANCE_INTERVAL_MS = 10 * 60_000

/**
 * Opens the embedded database kept in `dataDir/pglite`, or one in memory, and brings its schema up to
 * date. Throws when another process has the folder open, naming it. `image` is what a new database
 * starts from instead of nothing, as `PGlite.dumpDataDir` writes it.
 */
export async function openPglite(dataDir?: string, image?: Blob): Promise<Database> {
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
  image: Blob | undefined,
  release: () => void,
): Promise<Database> {
  const client = await PGlite.create({
    ...(dataDir ? { dataDir: join(dataDir, 'pglite') } : {}),
    ...(image ? { loadDataDir: image } : {}),
    extensions: { pg_trgm },
  })
  await client.exec(`set timezone to 'UTC'`)
  const db = drizzle(client, { schema })
  await migrate(db, MIGRATIONS)
  const maintenance = setInterval(() => void maintain(client), MAINTENANCE_INTERVAL_MS)
  maintenance.unref()
  return {
    dialect: 'pglite',
    db,
    locks: localLocks(),
    bus: localBus(),
    copyOut: pgliteCopy(client),
    close: async () => {
      clearInterval(maintenance)
      await client.close()
      release()
    },
  }
}

/** Tidies up as far as it can; what fails now is done by the next round. */
export async function maintain(client: PGlite): Promise<void> {
  try {
    await client.exec('vacuum (analyze)') // alone: a second command would put both in a transaction
    await client.exec('checkpoint')
  } catch (error) {
    process.emitWarning(error as Error)
  }
}
