import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folders whose modules tests import. */
export const SOURCES = ['app', 'bin', 'components', 'lib', 'scripts']
const FOLDER = 'node_modules/.cache/engine-modules'

/**
 * The folder in which Vitest keeps transformed modules between runs. A transformed module holds the
 * paths that its imports led to, so each set of file names has a folder of its own.
 * @returns {string}
 */
export function moduleCache() {
  const hash = createHash('sha256')
  for (const folder of SOURCES)
    for (const name of readdirSync(folder, { recursive: true }).sort()) hash.update(`${name}\n`)
  const current = hash.digest('hex').slice(0, 16)
  mkdirSync(join(FOLDER, current), { recursive: true })
  for (const name of readdirSync(FOLDER)) if (name !== current) removeIfOld(join(FOLDER, name))
  return join(FOLDER, current)
}

/**
 * Nothing was added for an hour: no run is using it.
 * @param {string} folder
 */
function removeIfOld(folder) {
  const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age > 3_600_000) rmSync(folder, { recursive: true, force: true })
}
