import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { StepError } from './run.mjs'

/**
 * Secrets of a server without configured ones: generated on the first run and kept in `dataDir`,
 * readable by this user only. Returns `{ file, secrets, isNew }`; `secrets` has the names of the
 * settings.
 */
export function keepSecrets(dataDir) {
  const file = resolve(dataDir, 'quickstart.json')
  const known = read(file)
  if (known) return { file, secrets: known, isNew: false }
  const secrets = {
    NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: randomBytes(15).toString('base64url'),
    BOOTSTRAP_API_KEY: `eng_${randomBytes(32).toString('base64url')}`,
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return { file, secrets, isNew: true }
}

/**
 * Those that were generated, by the names of the settings; null when none were.
 * @returns {Record<string, string> | null}
 */
export const keptSecrets = (dataDir) => read(resolve(dataDir, 'quickstart.json'))

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw new StepError(`${file} cannot be read: ${error.message}`)
  }
}
