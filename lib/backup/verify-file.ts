import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { connectOnce } from '@/lib/db/postgres-connection'
import type { Env } from '@/lib/env'
import { checkBackup } from './check-backup'
import type { Manifest } from './contract'
import { openSession, type Place } from './open-session'
import { inWorkFolder, unpack } from './pack'
import { requireSame } from './require-same'
import { restoreBackup } from './restore-backup'
import { momentOf } from './schedule/file-names'
import { markVerified } from './schedule/verified-marks'

type Settings = Pick<Env, 'BACKUP_DIR' | 'BACKUP_KEY' | 'DATA_DIR'>

/**
 * Restores `file` into a database that is thrown away, an embedded one or, with `server`, one of its own on a PostgreSQL server, and compares
 * all that it has with what was backed up. Throws an `Error` that names the first difference. A file of the schedule is marked.
 */
export async function verifyFile(
  settings: Settings,
  file: string,
  server?: string,
): Promise<Manifest> {
  const manifest = await inWorkFolder(settings, file, async (folder) => {
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
  const { BACKUP_DIR } = settings
  const isOfSchedule = BACKUP_DIR && resolve(BACKUP_DIR) === dirname(resolve(file))
  if (isOfSchedule && momentOf(basename(file))) await markVerified(file)
  return manifest
}

/** The newest file of the schedule. Throws when there is none. */
export async function newestFile({ BACKUP_DIR }: Settings): Promise<string> {
  if (!BACKUP_DIR) throw new Error('Name a file, or set BACKUP_DIR')
  const newest = (await readdir(BACKUP_DIR)).filter(momentOf).sort().at(-1)
  if (!newest) throw new Error(`${BACKUP_DIR} has no backup of the schedule`)
  return join(BACKUP_DIR, newest)
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
