import { sql } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { openPostgres } from '@/lib/db/postgres'
import { one, rows } from '@/lib/db/rows'
import type { Deps } from '@/lib/deps'

/** Another instance on the test file's database, which must be on a server, and the address of that. */
export async function secondInstance(deps: Deps): Promise<{ other: Deps; url: string }> {
  const { name } = one(
    await rows<{ name: string }>(deps.db, sql`select current_database() as name`),
  )
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  url.pathname = `/${name}`
  const { close, ...database } = await openPostgres(url.href, 4)
  afterAll(close)
  return { other: { ...deps, ...database }, url: url.href }
}
