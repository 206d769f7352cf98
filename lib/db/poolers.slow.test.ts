import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { onServer } from '@/lib/testing/on-server'
import { type OwnPostgres, startOwnPostgres } from '@/lib/testing/own-postgres'
import { startPgBouncer } from '../../scripts/steps/pgbouncer.mjs'
import { withBudget } from './budget'
import { openPostgres, type PostgresOptions } from './postgres'
import { connectOnce, POOLED } from './postgres-connection'
import { type Database, one, rows } from './sql'

let server: OwnPostgres | null
beforeAll(async () => {
  server = await startOwnPostgres()
}, 60_000)
afterAll(() => server?.stop())

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Addresses = { url: string; directUrl: string }

/** The server behind a PgBouncer of its own; or null, said on the terminal, where there is none. */
async function behindPgBouncer(
  mode: 'session' | 'transaction',
  connections?: number,
): Promise<Addresses | null> {
  if (!server) return null
  const pooler = await startPgBouncer(server.url, { mode, ...(connections && { connections }) })
  if (!pooler) {
    process.stderr.write('SKIPPED: PgBouncer cannot be started on this machine\n')
    return null
  }
  ends.push(pooler.stop)
  return { url: pooler.url, directUrl: server.url }
}

async function open(options: Omit<PostgresOptions, 'poolSize'>, poolSize = 4): Promise<Database> {
  const database = await openPostgres({ ...options, poolSize })
  ends.push(database.close)
  return database
}

describe('a pooler in transaction mode', () => {
  test('is refused in one line that says what to set', async ({ skip }) => {
    const there = await behindPgBouncer('transaction')
    if (!there) return skip()
    const { url } = there
    await expect(open({ url })).rejects.toThrow(/transaction mode.*set DATABASE_DIRECT_URL/)
    await expect(open({ url, directUrl: url })).rejects.toThrow(
      /^DATABASE_DIRECT_URL leads to a connection pooler in transaction mode/,
    )
  })

  test('is refused when it leads to another database', async ({ skip }) => {
    const there = await behindPgBouncer('transaction')
    if (!there) return skip()
    await onServer(there.directUrl, 'create database other')
    const directUrl = Object.assign(new URL(there.directUrl), { pathname: '/other' }).href
    await expect(open({ url: there.url, directUrl })).rejects.toThrow(/different databases/)
  })

  test('lends few connections to many, and each transaction is its own', async ({ skip }) => {
    const there = await behindPgBouncer('transaction', 3)
    if (!there) return skip()
    const { db } = await open(there, 20)
    await db.execute(sql`create table counted (n int)`)
    await db.execute(sql`insert into counted values (0)`)
    const add = (by: number) =>
      db.transaction(async (tx) => {
        const { n } = one(await rows<{ n: number }>(tx, sql`select n from counted for update`))
        await tx.execute(sql`create temporary table kept on commit drop as select ${n}::int as n`)
        await tx.execute(sql`update counted set n = (select n from kept) + ${by}::int`)
      })
    await Promise.all(Array.from({ length: 60 }, () => add(1)))
    expect(await rows(db, sql`select n from counted`)).toEqual([{ n: 60 }])
    const used = sql`select count(*)::int as n from pg_stat_activity where application_name = 'engine'
      and backend_type = 'client backend' and query like '%counted%'`
    expect(one(await rows<{ n: number }>(db, used)).n).toBeLessThanOrEqual(3)
  })

  test('keeps neither time limits of a transaction nor settings of a client', async ({ skip }) => {
    if (!server) return skip()
    const { url } = server
    await onServer(url, `alter database postgres set timezone = 'Asia/Tokyo'`)
    ends.push(() => onServer(url, 'alter database postgres reset timezone'))
    const there = await behindPgBouncer('transaction', 1)
    if (!there) return skip()
    const { db } = await open(there)
    const settings = sql`select current_setting('lock_timeout') as lock,
      current_setting('statement_timeout') as statement, current_setting('TimeZone') as zone`
    const inside = await withBudget({ ms: 20_000 }, () =>
      db.transaction((tx) => rows(tx, settings)),
    )
    expect(inside).toEqual([
      { lock: '2s', statement: expect.stringMatching(/^2\d{4}ms$|^21s$/), zone: 'UTC' },
    ])
    expect(await rows(db, settings)).toEqual([{ lock: '2s', statement: '0', zone: 'UTC' }])
    const stranger = await connectOnce(there.url, {})
    ends.push(() => stranger.end())
    const { rows: seen } = await stranger.query(`select current_setting('TimeZone') as zone`)
    expect(seen).toEqual([{ zone: 'Asia/Tokyo' }])
  })

  test('does not lend locks, messages and statements that are stopped', async ({ skip }) => {
    const there = await behindPgBouncer('transaction', 2)
    if (!there) return skip()
    const [here, other] = [await open(there), await open(there)]
    await here.locks.hold('k', 0, async () => {
      expect(await other.locks.isHeld('k')).toBe(true)
      await expect(other.locks.hold('k', 0, async () => {})).rejects.toThrow('is running')
    })
    expect(await other.locks.isHeld('k')).toBe(false)
    const heard: string[] = []
    await other.bus.subscribe('engine_credentials', (message) => void heard.push(message))
    await here.bus.publish('engine_credentials', 'changed')
    await expect.poll(() => heard).toEqual(['changed'])
    const slow = withBudget({ ms: 300 }, () => here.db.execute(sql`select pg_sleep(30)`))
    await expect(slow).rejects.toThrow()
    const direct = await connectOnce(there.directUrl, POOLED)
    ends.push(() => direct.end())
    const sleeping = `select from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await direct.query(sleeping)).rowCount).toBe(0)
    expect(await rows(here.db, sql`select 1 as n`)).toEqual([{ n: 1 }])
  })
})

test('a pooler in session mode will do', async ({ skip }) => {
  const there = await behindPgBouncer('session')
  if (!there) return skip()
  const database = await open({ url: there.url })
  await database.locks.hold('k', 0, async () => {
    expect(await database.locks.isHeld('k')).toBe(true)
  })
})
