import 'server-only'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { codeOf } from './errors'

/** Of any driver: the migrator uses what they have in common. */
type AnyDrizzle = { execute: unknown }

const DUPLICATE_SCHEMA = '42P06'

/**
 * Applies pending migrations. Takes no lock: callers do. Throws when the schema `engine` was not
 * made by this server.
 */
export async function applyMigrations(db: AnyDrizzle): Promise<void> {
  const migrated = db as Parameters<typeof migrate>[0]
  try {
    await migrate(migrated, {
      migrationsFolder: migrationsFolder(),
      migrationsSchema: 'engine_migrations',
    })
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_SCHEMA) throw error
    throw new Error(
      'The database has a schema "engine" that no release of Engine made: use an empty database (DATABASE_URL) or folder (DATA_DIR)',
      { cause: error },
    )
  }
}

/** Where the SQL of the migrations is. */
function migrationsFolder(): string {
  const folder = resolve(/* turbopackIgnore: true */ process.cwd(), 'drizzle')
  if (!existsSync(folder)) throw new Error(`The folder "drizzle" is missing in ${process.cwd()}`)
  return folder
}
