import { sql } from 'drizzle-orm'
import { openPostgres } from '@/lib/db/postgres'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { addressesOf } from './database'

/** Another instance on the test file's database, which must be on a server. The caller closes it. */
export async function secondInstance(
  deps: Deps,
): Promise<{ other: Deps; close: () => Promise<void> }> {
  const { close, ...database } = await openPostgres({ ...(await addresses(deps)), poolSize: 4 })
  return { other: { ...deps, ...database }, close }
}

/** The address of the test file's database, which must be on a server, for sessions. */
export async function sessionUrl(deps: Deps): Promise<string> {
  const { url, directUrl } = await addresses(deps)
  return directUrl ?? url
}

async function addresses({ db }: Deps) {
  const found = await rows<{ name: string }>(db, sql`select current_database() as name`)
  return addressesOf(one(found).name)
}
