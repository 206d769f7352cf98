import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import { isLockTimeout } from './errors'
import { SERVER_LOCKS } from './lock-keys'
import { applyMigrations } from './migrations'

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
