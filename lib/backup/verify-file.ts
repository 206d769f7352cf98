import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connectOnce } from '@/lib/db/postgres-connection'
import type { Env } from '@/lib/env'
import { checkBackup } from './check-backup'
import type { Manifest } from './contract'
import { openSession, type Place } from './open-session'
import { inWorkFolder, unpack } from './pack'
import { requireSame } from './require-same'
import { restoreBackup } from './restore-backup'

/**
 * Restores `file` into a database that is thrown away, an embedded one or, with `server`, one of its own on a PostgreSQL server, and compares
 * all that it has with what was backed up. Throws an `Error` that names the first difference.
 */
export async function verifyFile(
  settings: Pick<Env, 'BACKUP_KEY' | 'DATA_DIR'>,
  file: string,
  server?: string,
): Promise<Manifest> {
  return inWorkFolder(settings, file, async (folder) => {
    const [content, DATA_DIR] = [join(folder, 'content'), join(folder, 'data')]
    await Promise.all([mkdir(content), mkdir(DATA_DIR)])
    await unpack(file, content, { key: settings.BACKUP_KEY })
    const backup = await checkBackup(content)
    await withDatabase(server, async (DATABASE_URL) => {
      const session = await openSession({ DATABASE_URL, DATABASE_DIRECT_URL: undefined, DATA_DIR })
      const target = { session, dataDir: DATA_DIR, secret: null }
      await restoreBackup(target, backup, 'nothing', (client) =>
        requireSame(client, backup.manifest),
      ).finally(() => session.close())
    })
    return backup.manifest
  })
}

async function withDatabase(
  server: string | undefined,
  work: (url: Place['DATABASE_URL']) => Promise<void>,
): Promise<void> {
  if (server === undefined) return work(undefined)
  const name = `engine_verify_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name}`)
  try {
    await work(Object.assign(new URL(server), { pathname: `/${name}` }).href)
  } finally {
    await onServer(server, `drop database if exists ${name} with (force)`)
  }
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = await connectOnce(server)
  await client.query(statement).finally(() => client.end())
}
