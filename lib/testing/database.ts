import { afterAll, inject } from 'vitest'
import type { Database } from '@/lib/db/types'
import { onServer } from './on-server'

/** The database of a test file: it opens at once, in its thread, while the file is imported. */
export const opened = open()
opened.catch(() => {}) // `testDeps` throws it
afterAll(async () => (await opened.catch(() => null))?.close())

function open(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL
  return server ? openNewDatabase(server) : openEmbedded()
}

/** From an image that the run has made: six times faster than creating the database. */
async function openEmbedded(): Promise<Database> {
  const { openPglite } = await import('@/lib/db/pglite')
  return openPglite(undefined, inject('pgliteImage'))
}

async function openNewDatabase(server: string): Promise<Database> {
  const name = `engine_test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const { openPostgres } = await import('@/lib/db/postgres')
  const database = await openPostgres(url.href, 6)
  return {
    ...database,
    close: async () => {
      await database.close()
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}
