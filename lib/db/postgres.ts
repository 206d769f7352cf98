import 'server-only'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { endBrokenTransactions } from './broken-transactions'
import { MIGRATIONS } from './migrations'
import { postgresBus } from './postgres-bus'
import { postgresCopy } from './postgres-copy'
import { postgresLocks, type Session } from './postgres-locks'
import * as schema from './schema'
import type { Database } from './types'

// Any constant will do, as long as every server picks the same one.
const MIGRATION_LOCK = 7_262_001

/** Connects to a PostgreSQL server and brings its schema up to date. Throws when it can't be reached. */
export async function openPostgres(url: string, poolSize: number): Promise<Database> {
  await migrateOnce(url)
  const client = endBrokenTransactions(postgres(url, { ...OPTIONS, max: poolSize }))
  return {
    dialect: 'postgres',
    db: drizzle(client, { schema }),
    locks: postgresLocks(() => openSession(url), client),
    bus: postgresBus(client),
    copyOut: postgresCopy(client),
    close: () => client.end({ timeout: 5 }),
  }
}

const OPTIONS = {
  onnotice: () => {},
  connect_timeout: 10,
  idle_timeout: 60,
  connection: {
    application_name: 'engine',
    TimeZone: 'UTC',
    standard_conforming_strings: 'on',
    // A cached generic plan would ignore indexes that suit the values at hand.
    plan_cache_mode: 'force_custom_plan',
    // A server that hears nothing of this machine any more gives up its locks within a minute.
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
  },
} as const

/** One connection that is neither pooled nor ended for being idle or old. */
function openSession(url: string): Session {
  let isLost = false
  const onclose = () => {
    isLost = true
  }
  const lasting = { max: 1, idle_timeout: 0, max_lifetime: null, fetch_types: false, onclose }
  return { client: postgres(url, { ...OPTIONS, ...lasting }), isLost: () => isLost }
}

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
