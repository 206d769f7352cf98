import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { guardPglite, pglitePool } from '../pglite'
import { PgliteServer } from '../pglite-server'
import * as schema from '../schema'
import { type Db, one, rows } from '../sql'

const folder = mkdtempSync(join(tmpdir(), 'engine-pglite-'))
let pool: Pool

/** An embedded database in a folder of its own, and queries on it: one for all tests of a file. */
export let server: PgliteServer
export let db: Db

beforeAll(async () => {
  server = await PgliteServer.open({ folder, image: inject('pgliteImage') })
  pool = pglitePool(server)
  db = drizzle(guardPglite(pool, server) as unknown as Pool, { schema })
})
afterAll(async () => {
  await pool.end()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Takes longer than any test waits. */
export const LONG = sql`select count(*) from generate_series(1, 1000000000)`

export const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

export const count = async (table: string) =>
  one(await rows<{ n: number }>(db, sql`select count(*)::int as n from ${sql.identifier(table)}`)).n
