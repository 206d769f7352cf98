import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Where drizzle's migrations are, and where it notes which were applied. */
export const MIGRATIONS = {
  get migrationsFolder() {
    const folder = resolve(/* turbopackIgnore: true */ process.cwd(), 'drizzle')
    if (!existsSync(folder)) throw new Error(`The folder "drizzle" is missing in ${process.cwd()}`)
    return folder
  },
  migrationsSchema: 'engine_migrations',
}
