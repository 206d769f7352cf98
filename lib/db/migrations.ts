import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Client, ClientBase } from 'pg'
import { codeOf, isLockTimeout } from './errors'
import { SERVER_LOCKS } from './locks'
import { type Db, one, rows } from './sql'

/** Of any driver: the migrator uses what they have in common. */
type AnyDrizzle = { execute: unknown }

const SCHEMA = 'engine_migrations'
const APPLIED = `"${SCHEMA}".__drizzle_migrations`
const DUPLICATE_SCHEMA = '42P06'

/**
 * Applies pending migrations. Takes no lock: callers do. Throws when the schema `engine` was not
 * made by this server.
 */
export async function applyMigrations(db: AnyDrizzle): Promise<void> {
  const migrated = db as Parameters<typeof migrate>[0]
  try {
    await migrate(migrated, { migrationsFolder: migrationsFolder(), migrationsSchema: SCHEMA })
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_SCHEMA) throw error
    throw new Error(
      'The database has a schema "engine" that no release of Engine made: use an empty database (DATABASE_URL) or folder (DATA_DIR)',
      { cause: error },
    )
  }
}

/** `created_at` of the last migration that this version knows. */
export const lastMigration = (): number =>
  Math.max(...known().map(({ folderMillis }) => folderMillis))

/**
 * Applies the migrations of an empty database up to `last`, in the open transaction of `client`.
 */
export async function applyMigrationsUpTo(
  client: Pick<ClientBase, 'query'>,
  last: number,
): Promise<void> {
  await client.query(`create schema "${SCHEMA}"`)
  // As drizzle makes it.
  await client.query(
    `create table ${APPLIED} (id serial primary key, hash text not null, created_at bigint)`,
  )
  await applyEach(client, (at) => at <= last)
}

/** Applies those that are newer than `last`, in the open transaction of `client`. */
export const applyLaterMigrations = (
  client: Pick<ClientBase, 'query'>,
  last: number,
): Promise<void> => applyEach(client, (at) => at > last)

async function applyEach(
  client: Pick<ClientBase, 'query'>,
  isWanted: (at: number) => boolean,
): Promise<void> {
  for (const { sql: statements, hash, folderMillis } of known()) {
    if (!isWanted(folderMillis)) continue
    for (const statement of statements) await client.query(statement)
    const values = [hash, folderMillis]
    await client.query(`insert into ${APPLIED} (hash, created_at) values ($1, $2)`, values)
  }
}

/** How many migrations of later versions the database has: a later version runs beside this one, or ran before it. */
export async function countLaterMigrations(db: Db): Promise<number> {
  const later = sql`select count(*)::int as n from ${sql.raw(APPLIED)} where created_at > ${lastMigration()}`
  return one(await rows<{ n: number }>(db, later)).n
}

const known = () => readMigrationFiles({ migrationsFolder: migrationsFolder() })

/** Where the SQL of the migrations is. */
function migrationsFolder(): string {
  const folder = resolve(/* turbopackIgnore: true */ process.cwd(), 'drizzle')
  if (!existsSync(folder)) throw new Error(`The folder "drizzle" is missing in ${process.cwd()}`)
  return folder
}

/**
 * Requests of other instances queue behind a migration that waits for a table. They give up after two seconds, and
 * after one (`deadlock_timeout`) PostgreSQL ends one that holds what the migration waits for.
 */
const LOCK_MS = 500
/** Then they have this long. */
const PAUSE_MS = 500
/** About a minute and a half. */
const ATTEMPTS = 90

/**
 * Brings the database up to date, one server after the other: drizzle's `migrate` takes no lock of its own. Other
 * instances go on serving: a migration that meets a locked table is rolled back and tried again. Throws when the
 * table stays locked.
 */
export async function migrateOnce(
  connect: () => Promise<Client>,
  apply: (db: NodePgDatabase) => Promise<unknown> = applyMigrations,
): Promise<void> {
  const client = await connect()
  try {
    // Without a time limit: another server may be running a long migration.
    await client.query('set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [SERVER_LOCKS.migration])
    await client.query(`set lock_timeout = ${LOCK_MS}`)
    for (let attempt = 1; ; attempt++) {
      const error = await apply(drizzle(client)).then(
        () => null,
        (thrown) => thrown,
      )
      if (!error) return
      if (!isLockTimeout(error) || attempt === ATTEMPTS) throw error
      await delay(PAUSE_MS)
    }
  } finally {
    await client.end() // ends the session, which releases the lock
  }
}
