import { afterAll, inject } from 'vitest'
import type { Database } from '@/lib/db/sql'
import { makeDatabase } from './make-database'

/** The database of a test file: it opens at once, in its thread, while the file is imported. */
export const opened = open()
opened.catch(() => {}) // `testDeps` throws it
afterAll(async () => (await opened.catch(() => null))?.close())

function open(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL
  return server ? openNewDatabase(server) : openEmbedded()
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
