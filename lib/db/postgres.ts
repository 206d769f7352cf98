import 'server-only'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { MIGRATIONS } from './migrations'
import { postgresBus } from './postgres-bus'
import { postgresLocks } from './postgres-locks'
import * as schema from './schema'
import type { Database } from './types'

// Any constant will do, as long as every server picks the same one.
const MIGRATION_LOCK = 7_262_001

/** Connects to a PostgreSQL server and brings its schema up to date. Throws when it can't be reached. */
export async function openPostgres(url: string, poolSize: number): Promise<Database> {
  await migrateOnce(url)
  const client = postgres(url, { ...OPTIONS, max: poolSize })
  // Locks are held by sessions, so they have connections of their own, apart from the pool.
  const lockClient = postgres(url, { ...OPTIONS, max: poolSize })
  return {
    dialect: 'postgres',
    db: drizzle(client, { schema }),
    locks: postgresLocks(lockClient),
    bus: postgresBus(client),
    close: async () => {
      await Promise.all([client.end({ timeout: 5 }), lockClient.end({ timeout: 5 })])
    },
  }
}

const OPTIONS = {
  onnotice: () => {},
  connect_timeout: 10,
  idle_timeout: 60,
  connection: {
    application_name: 'engine',
    TimeZone: 'UTC',
    // A cached generic plan would ignore indexes that suit the values at hand.
    plan_cache_mode: 'force_custom_plan',
  },
} as const

/** drizzle's `migrate` takes no lock of its own, so servers that start together queue here. */
async function migrateOnce(url: string): Promise<void> {
  const connection = postgres(url, { ...OPTIONS, max: 1 })
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`
    await migrate(drizzle(connection), MIGRATIONS)
  } finally {
    await connection.end({ timeout: 5 }) // ends the session, which releases the lock
  }
}
