import { inject } from 'vitest'
import type { Database } from '@/lib/db/types'
import { onServer } from './on-server'

const worker = globalThis as { __engineTestDatabase?: Promise<Database> }
worker.__engineTestDatabase ??= open()

/** The database of a worker: it opens at once, in its thread, while the first file is imported. */
export const opened = worker.__engineTestDatabase
opened.catch(() => {}) // `testDeps` throws it

function open(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL
  return server ? openNewDatabase(server) : openEmbedded()
}

/** From an image that the run has made: six times faster than creating the database. */
async function openEmbedded(): Promise<Database> {
  const { openPglite } = await import('@/lib/db/pglite')
  return openPglite(undefined, inject('pgliteImage'))
}

/** The run drops it at its end. */
async function openNewDatabase(server: string): Promise<Database> {
  const name = `${inject('databasePrefix')}${process.pid}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const { openPostgres } = await import('@/lib/db/postgres')
  return openPostgres(url.href, 6)
}
