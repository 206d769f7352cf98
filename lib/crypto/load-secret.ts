import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '@/lib/env'

/**
 * The app's secret: the one that is set, or while trying out one made once and kept in
 * `DATA_DIR/secret`. Throws in production when none is set: instances would not share a made-up one,
 * and it would be lost with the container.
 */
export async function loadSecret(
  settings: Pick<Env, 'NEXTAUTH_SECRET' | 'NODE_ENV' | 'DATA_DIR'>,
): Promise<string> {
  if (settings.NEXTAUTH_SECRET) return settings.NEXTAUTH_SECRET
  if (settings.NODE_ENV === 'production') {
    throw new Error(
      'NEXTAUTH_SECRET is not set. Set it to at least 32 random characters, such as `openssl rand -base64 32` prints.',
    )
  }
  await mkdir(settings.DATA_DIR, { recursive: true })
  const file = join(settings.DATA_DIR, 'secret')
  const made = randomBytes(32).toString('base64url')
  try {
    await writeFile(file, made, { flag: 'wx', mode: 0o600 })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readFile(file, 'utf8')
  }
}
