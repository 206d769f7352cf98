import { join } from 'node:path'
import { Client, type ClientBase } from 'pg'
import { lockFolder } from '@/lib/db/folder-lock'
import { SERVER_LOCKS } from '@/lib/db/locks'
import { PgliteServer } from '@/lib/db/pglite-server'
import { PgliteSocket } from '@/lib/db/pglite-socket'
import { connectOnce, named } from '@/lib/db/postgres-connection'
import type { Deps } from '@/lib/deps'
import type { Env } from '@/lib/env'

/** One connection to the database, without a time limit for statements. */
export type Session = {
  client: ClientBase
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

/** One of a server that runs. On the embedded database its requests wait until it is closed. */
export async function sessionOf({
  connectAlone,
  dialect,
}: Pick<Deps, 'connectAlone' | 'dialect'>): Promise<Session> {
  const { client, release } = await connectAlone()
  const close = async () => {
    await client.query('reset lock_timeout').catch(() => {})
    await release()
  }
  await client.query(`set lock_timeout = ${LOCK_MS}`)
  return { client, dialect, close }
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

/** Throws on a Citus cluster, whose tables are spread over nodes: this backup would not bring them back as they are. */
export async function requirePlainServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (rows.length > 0)
    throw new Error(
      'The database is a Citus cluster, which needs the backup of its provider or of each node',
    )
}

/**
 * Throws when a server of Engine uses the database: it would go on with what it knows of the former tables. One that
 * starts waits, from here to the end of the transaction.
 */
export async function requireNoServers({ client, dialect }: Session): Promise<void> {
  if (dialect === 'pglite') return
  await client.query('select pg_advisory_xact_lock($1)', [SERVER_LOCKS.migration])
  const { rows } = await client.query<{ n: number }>(OTHERS)
  if (rows[0] && rows[0].n > 0)
    throw new Error(
      `Servers of Engine use the database (${rows[0].n} connections): stop them, then restore`,
    )
}

const OTHERS = `
  select count(*)::int as n from pg_stat_activity
  where datname = current_database() and application_name = 'engine' and pid <> pg_backend_pid()`
