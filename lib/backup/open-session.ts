import 'server-only'
import { join } from 'node:path'
import { Client } from 'pg'
import { lockFolder } from '@/lib/db/folder-lock'
import { PgliteServer } from '@/lib/db/pglite-server'
import { PgliteSocket } from '@/lib/db/pglite-socket'
import { connectOnce, named } from '@/lib/db/postgres-connection'
import type { Env } from '@/lib/env'

/** One connection to the database, without a time limit for statements. */
export type Session = {
  client: Client
  dialect: 'postgres' | 'pglite'
  close(): Promise<void>
}

export type Place = Pick<Env, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR'>

/** How long a statement waits for a table that others use. */
const LOCK_MS = 30_000

/**
 * Connects to PostgreSQL, or opens the embedded database, which no other process may have open then: throws a
 * `FolderInUseError` that names it. Applies no migrations.
 */
export async function openSession(place: Place): Promise<Session> {
  const session = await open(place)
  await session.client.query(`set lock_timeout = ${LOCK_MS}`)
  return session
}

async function open({ DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Place): Promise<Session> {
  const url = DATABASE_DIRECT_URL ?? DATABASE_URL
  if (!url) return openEmbedded(DATA_DIR)
  const variable = DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const client = await named(variable, url, connectOnce(url))
  return { client, dialect: 'postgres', close: () => client.end() }
}

async function openEmbedded(dataDir: string): Promise<Session> {
  const release = await lockFolder(dataDir)
  try {
    const server = await PgliteServer.open({ folder: join(dataDir, 'pglite') })
    const client = new Client({ stream: () => new PgliteSocket(server), ...LOCAL })
    client.on('error', () => {}) // its statements fail by themselves
    await client.connect()
    const close = async () => {
      await client.end()
      await server.close()
      release()
    }
    return { client, dialect: 'pglite', close }
  } catch (error) {
    release()
    throw error
  }
}

/** Not used, but the driver would read them from the environment. */
const LOCAL = {
  host: 'localhost',
  user: 'postgres',
  database: 'postgres',
  password: '',
  ssl: false,
}
