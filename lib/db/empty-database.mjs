import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The file in which a build keeps an empty database, relative to `root`, the folder of the
 * application. Its name has PGlite's version: a file of another one may be unreadable.
 *
 * @param {string} root
 */
export function emptyDatabaseFile(root) {
  const description = join(
    /* turbopackIgnore: true */ root,
    'node_modules/@electric-sql/pglite/package.json',
  )
  const { version } = JSON.parse(readFileSync(description, 'utf8'))
  return `dist/database-${version}.tar.gz`
}
