import { sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/types'
import { requireOwned } from './copy-schemas'

/** The name that the schema of the registry has meanwhile. */
export const PARKED = 'engine_parked'

/**
 * Renames the schema of the registry and creates an empty one in its place. No other transaction sees it, and it takes no
 * lock on tables: only creating tables in it waits, which migrations do, and other dry runs. The transaction must be rolled back.
 */
export async function parkRegistry(tx: Db): Promise<void> {
  await requireOwned(tx, 'engine')
  await tx.execute(sql`alter schema engine rename to ${sql.identifier(PARKED)}`)
  await tx.execute(sql`create schema engine`)
  await tx.execute(sql.raw(`set local search_path = "$user", public, ${PARKED}`))
}
