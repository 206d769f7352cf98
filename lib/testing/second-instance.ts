import { sql } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { openPostgres } from '@/lib/db/postgres'
import { one, rows } from '@/lib/db/rows'
import type { Deps } from '@/lib/deps'
import { addressesOf } from './database'

/** Another instance on the test file's database, which must be on a server, and the address of that, for sessions. */
export async function secondInstance(deps: Deps): Promise<{ other: Deps; url: string }> {
  const { name } = one(
    await rows<{ name: string }>(deps.db, sql`select current_database() as name`),
  )
  const addresses = addressesOf(name)
  const { close, ...database } = await openPostgres({ ...addresses, poolSize: 4 })
  afterAll(close)
  return { other: { ...deps, ...database }, url: addresses.directUrl ?? addresses.url }
}
