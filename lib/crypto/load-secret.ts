import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '@/lib/env'
import type { AppSecret } from './derive-key'

/**
 * The app's secret: the one that is set, or in development one that is generated once and kept in
 * `DATA_DIR/secret`. Throws in production when none is set: instances would not share a generated
 * one, and it would be lost with the container.
 */
export async function loadSecret(
  settings: Pick<Env, 'NEXTAUTH_SECRET' | 'NEXTAUTH_SECRET_PREVIOUS' | 'NODE_ENV' | 'DATA_DIR'>,
): Promise<AppSecret> {
  const previous = settings.NEXTAUTH_SECRET_PREVIOUS ?? null
  if (settings.NEXTAUTH_SECRET) return { current: settings.NEXTAUTH_SECRET, previous }
  if (settings.NODE_ENV === 'production') {
    throw new Error(
      'NEXTAUTH_SECRET is not set. Set it to at least 32 random characters, such as `openssl rand -base64 32` prints.',
    )
  }
  await mkdir(settings.DATA_DIR, { recursive: true })
  return { current: await makeOnce(join(settings.DATA_DIR, 'secret')), previous }
}

/** The secret that is set or was generated; null when there is none. Generates none. */
export async function knownSecret(
  settings: Pick<Env, 'NEXTAUTH_SECRET' | 'NEXTAUTH_SECRET_PREVIOUS' | 'DATA_DIR'>,
): Promise<AppSecret | null> {
  const previous = settings.NEXTAUTH_SECRET_PREVIOUS ?? null
  const file = join(settings.DATA_DIR, 'secret')
  const current = settings.NEXTAUTH_SECRET ?? (await readFile(file, 'utf8').catch(() => null))
  return current === null ? null : { current, previous }
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
