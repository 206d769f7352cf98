import { SERVER_LOCKS } from '@/lib/db/locks'
import type { Session } from './open-session'

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
