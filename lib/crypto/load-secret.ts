import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '@/lib/env'

/**
 * The app's secret: the one that is set, or in development one that is generated once and kept in
 * `DATA_DIR/secret`. Throws in production when none is set: instances would not share a generated
 * one, and it would be lost with the container.
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
  return makeOnce(join(settings.DATA_DIR, 'secret'))
}

/** The secret that is set or was generated; null when there is none. Generates none. */
export async function knownSecret(
  settings: Pick<Env, 'NEXTAUTH_SECRET' | 'DATA_DIR'>,
): Promise<string | null> {
  if (settings.NEXTAUTH_SECRET) return settings.NEXTAUTH_SECRET
  return readFile(join(settings.DATA_DIR, 'secret'), 'utf8').catch(() => null)
}

/**
 * The content of `file`, readable by its owner only; concurrent callers get that of the first one.
 */
async function makeOnce(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    await link(draft, file) // atomic: no reader sees half a secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(file, 'utf8')
}
