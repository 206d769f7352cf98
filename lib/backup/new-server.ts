import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { SERVER_LOCKS } from '@/lib/db/locks'
import { users } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'

/** Held while one of the servers restores. */
export const RESTORE_LOCK = 'restore a backup'

/** Where this server unpacks a backup; there only while it does, or after it was killed. */
export const restoreFolder = (dataDir: string) => join(dataDir, 'restore')

const IN_USE = 'This server has users already: a backup can be restored on a new server only'

/** Throws `conflict` when anybody can sign in here. */
export async function requireNewServer({ db }: Pick<Deps, 'db'>): Promise<void> {
  const [found] = await db.select({ id: users.id }).from(users).limit(1)
  if (found) throw new AppError('conflict', IN_USE)
}

/**
 * Takes everything of a new server, to the end of the transaction of `client`: others wait, the creation of the first administrator
 * included. Throws `conflict` when it has users or entities.
 */
export async function takeNewServer(client: ClientBase): Promise<void> {
  for (const lock of [SERVER_LOCKS.migration, SERVER_LOCKS.firstAdministrator])
    await client.query('select pg_advisory_xact_lock($1)', [lock])
  const { rows } = await client.query<{ name: string }>(TABLES)
  await client.query(`lock table ${rows.map(({ name }) => name).join(', ')}`)
  const found = await client.query<{ users: boolean; entities: boolean }>(CONTENT)
  if (found.rows[0]?.users) throw new AppError('conflict', IN_USE)
  if (found.rows[0]?.entities) throw new AppError('conflict', HAS_ENTITIES)
}

const HAS_ENTITIES = 'This server has entities already: restore the backup on an empty one'

const TABLES = `
  select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname in ('engine', 'engine_migrations') order by 1`

const CONTENT = `
  select exists (select from engine.users) as users, exists (select from engine.entities) as entities`

/** `interrupted`: a restore ended with its process, and changed nothing. */
export type RestoreState = 'none' | 'running' | 'interrupted'

export async function readRestoreState({
  locks,
  settings,
}: Pick<Deps, 'locks' | 'settings'>): Promise<RestoreState> {
  if (await locks.isHeld(RESTORE_LOCK)) return 'running'
  return existsSync(restoreFolder(settings.DATA_DIR)) ? 'interrupted' : 'none'
}
