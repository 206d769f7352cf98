import { afterAll, inject } from 'vitest'
import type { Database } from '@/lib/db/sql'
import { keep, takeKept } from './kept-database'
import { leaseOf } from './leased-database'
import { makeDatabase } from './make-database'

const lease = open()

/** The database of a test file: it opens at once, in its thread, while the file is imported. */
export const opened = lease.then(({ database }) => database)
opened.catch(() => {}) // `testDeps` throws it
afterAll(async () => (await lease.catch(() => null))?.close())

/** One after the other, the files of a worker have the same: a new one, and new connections, cost more than most tests. */
async function open() {
  const server = process.env.TEST_DATABASE_URL
  const kept = await takeKept(() => (server ? openNewDatabase(server) : openEmbedded()))
  const { database, end } = leaseOf(kept.database)
  const close = async () => {
    end()
    await keep(kept)
  }
  return { database, close }
}

/** Of a database on the server of TEST_DATABASE_URL, which TEST_DATABASE_DIRECT_URL may say that it is a pooler. */
export function addressesOf(name: string): { url: string; directUrl?: string } {
  const { TEST_DATABASE_URL = '', TEST_DATABASE_DIRECT_URL: direct } = process.env
  const at = (server: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href
  return { url: at(TEST_DATABASE_URL), ...(direct && { directUrl: at(direct) }) }
}

/** From an image that the run has made: six times faster than creating the database. */
async function openEmbedded(): Promise<Database> {
  const { openPglite } = await import('@/lib/db/pglite')
  return openPglite(undefined, inject('pgliteImage'))
}

async function openNewDatabase(server: string): Promise<Database> {
  const made = await makeDatabase(process.env.TEST_DATABASE_DIRECT_URL ?? server)
  const { openPostgres } = await import('@/lib/db/postgres')
  const database = await openPostgres({ ...addressesOf(made.name), poolSize: 6 })
  return {
    ...database,
    close: async () => {
      await database.close()
      await made.drop()
    },
  }
}
