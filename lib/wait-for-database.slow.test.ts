import { afterAll, beforeAll, expect, test } from 'vitest'
import { reasonOf } from './db/errors'
import { openPostgres } from './db/postgres'
import { createLog } from './log'
import { onServer } from './testing/on-server'
import { type OwnPostgres, startOwnPostgres } from './testing/own-postgres'
import { waitForDatabase } from './wait-for-database'

let server: OwnPostgres | null
beforeAll(async () => {
  server = await startOwnPostgres()
})
afterAll(() => server?.stop())

const lines: string[] = []
const log = createLog('warn', { write: (line) => void lines.push(line) })
const WAIT_MS = 60_000

test('a start waits for a database that is away, and says so', async ({ skip }) => {
  if (!server) return skip()
  server.halt()
  const { url } = server
  const opening = waitForDatabase(() => openPostgres({ url, poolSize: 2 }), WAIT_MS, log)
  await expect.poll(() => lines.join()).toContain('waiting for the database')
  server.restart()
  await (await opening).close()
})

test('a start without privileges fails immediately with the reason that PostgreSQL gives', async ({
  skip,
}) => {
  if (!server) return skip()
  await onServer(server.url, 'create role poor login')
  await onServer(server.url, 'create database lean')
  const url = new URL('/lean', server.url)
  url.username = 'poor'
  const opening = waitForDatabase(() => openPostgres({ url: url.href, poolSize: 2 }), WAIT_MS, log)
  expect(await opening.catch(reasonOf)).toMatch(/permission denied for database/)
})
