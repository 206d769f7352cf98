import { sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'

/** The first number of an advisory lock; `SERVER_LOCKS` has others. */
const TURNS = 7_366

/**
 * Makes a transaction that overwrites many records of an entity on the nodes of a cluster wait for others that do: they
 * can't lock the records in one order, so they would wait for each other. Others change single records meanwhile.
 */
export async function takeTurn(
  tx: Db,
  { isDistributed, table }: Pick<Entity, 'isDistributed' | 'table'>,
): Promise<void> {
  if (!isDistributed) return
  const name = `${table.schema}.${table.name}`
  await tx.execute(sql`select pg_advisory_xact_lock(${TURNS}::int, hashtext(${name}))`)
}
