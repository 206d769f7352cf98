import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkReadiness } from '@/lib/health/check-readiness'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { type OwnPostgres, startOwnPostgres } from '@/lib/testing/own-postgres'
import { isUnavailable } from './errors'
import { openPostgres } from './postgres'
import { type Database, rows } from './sql'

let server: OwnPostgres | null
let database: Database
const deps = currentDeps()
beforeAll(async () => {
  server = await startOwnPostgres()
  if (!server) return
  database = await openPostgres({ url: server.url, poolSize: 4 })
  Object.assign(await testDeps(), database)
})
afterAll(async () => {
  server?.thaw()
  await database?.close()
  server?.stop()
})

const ask = () => database.db.execute(sql`select 1`)
const write = () => database.db.transaction((tx) => tx.execute(sql`select 1`))
/** Seconds until `work` fails as the database being away. */
async function secondsToRefusal(work: () => PromiseLike<unknown>): Promise<number> {
  const startedAt = performance.now()
  const failure = await work().then(
    () => 'responded',
    (error) => error,
  )
  expect(isUnavailable(failure)).toBe(true)
  return (performance.now() - startedAt) / 1000
}

test('a frozen server fails waiting requests within ten seconds, then all requests immediately, until it thaws', async ({
  skip,
}) => {
  if (!server) return skip()
  await Promise.all(Array.from({ length: 4 }, ask))
  server.freeze()
  const waiting = Array.from({ length: 25 }, (_, n) => secondsToRefusal(n % 2 ? ask : write))
  expect(await secondsToRefusal(() => checkReadiness(deps))).toBeLessThan(4)
  expect(Math.max(...(await Promise.all(waiting)))).toBeLessThan(10)
  const late = await Promise.all([ask, write].map(secondsToRefusal))
  expect(Math.max(...late)).toBeLessThan(3)
  await expect(database.locks.hold('k', 0, async () => {})).rejects.toSatisfy(isUnavailable)
  server.thaw()
  const thawedAt = performance.now()
  await expect
    .poll(() =>
      ask().then(
        () => 'responded',
        () => 'refused',
      ),
    )
    .toBe('responded')
  expect(performance.now() - thawedAt).toBeLessThan(5_000)
})

test('a server that is away refuses immediately, and is used as soon as it is back', async ({
  skip,
}) => {
  if (!server) return skip()
  server.halt()
  const refusals = await Promise.all(Array.from({ length: 10 }, () => secondsToRefusal(ask)))
  expect(Math.max(...refusals)).toBeLessThan(5)
  server.restart()
  const backAt = performance.now()
  await expect
    .poll(() =>
      ask().then(
        () => 'responded',
        () => 'refused',
      ),
    )
    .toBe('responded')
  expect(performance.now() - backAt).toBeLessThan(5_000)
})

test('a read whose connection breaks is sent again', async ({ skip }) => {
  if (!server) return skip()
  const read = database.db.execute(sql`select 7 as n, pg_sleep(2)`).then((result) => result)
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'select 7%' and state = 'active'`
  await expect.poll(async () => (await rows(database.db, end)).length).toBe(1)
  expect(await read).toMatchObject({ rows: [{ n: 7 }] })
})
