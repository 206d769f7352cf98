import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { withBudget } from './budget'
import { databaseError, isUnavailable, refusalIn } from './errors'
import { maintain } from './pglite-maintenance'
import { guardPglite, pglitePool } from './pglite-pool'
import { PgliteServer } from './pglite-server'
import { one, rows } from './rows'
import * as schema from './schema'
import type { Db } from './types'

const folder = mkdtempSync(join(tmpdir(), 'engine-pglite-'))
let server: PgliteServer
let pool: Pool
let db: Db

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

const LONG = sql`select count(*) from generate_series(1, 1000000000)`
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const count = async (table: string) =>
  one(await rows<{ n: number }>(db, sql`select count(*)::int as n from ${sql.identifier(table)}`)).n

describe('a statement', () => {
  test('leaves the process free for other work, and is stopped at its deadline', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns++
    }, 10)
    const error = await failure(withBudget({ ms: 500 }, () => db.execute(LONG)))
    clearInterval(timer)
    expect(refusalIn(error)?.code).toBe('unavailable')
    expect(turns).toBeGreaterThan(5)
  })

  test('yields to who waits for the connection once it has had its time', async () => {
    const exceeded = () => new AppError('unavailable', 'Narrow it')
    const limits = { yieldsAfterMs: 100, ms: 60_000, exceeded }
    const running = failure(withBudget(limits, () => db.execute(LONG)))
    expect(await failure(db.execute(sql`select 1`))).toBe(null)
    expect(refusalIn(await running)?.message).toBe('Narrow it')
  })

  test('is stopped when its signal aborts', async () => {
    const client = new AbortController()
    const running = failure(withBudget({ signal: client.signal }, () => db.execute(LONG)))
    setTimeout(() => client.abort(), 50)
    expect(isUnavailable(await running)).toBe(true)
  })

  test('that is stopped takes neither the session nor another statement with it', async () => {
    await db.execute(sql`create temp table session as select 1 as n`)
    const stopped = failure(withBudget({ ms: 200 }, () => db.execute(LONG)))
    const others = Array.from({ length: 20 }, (_, n) => rows(db, sql`select ${n}::int as n`))
    expect(isUnavailable(await stopped)).toBe(true)
    expect(await Promise.all(others)).toEqual(others.map((_, n) => [{ n }]))
    expect(await count('session')).toBe(1)
  })

  test('that fails keeps what the database says of it', async () => {
    await db.execute(sql`create table public.unique_once (n int constraint once primary key)`)
    await db.execute(sql`insert into public.unique_once values (1)`)
    const error = await failure(db.execute(sql`insert into public.unique_once values (${1})`))
    expect(databaseError(error)).toMatchObject({
      code: '23505',
      constraint: 'once',
      detail: 'Key (n)=(1) already exists.',
    })
  })

  test('and its result may be large', async () => {
    const text = 'ä'.repeat(3_000_000)
    const [found] = await rows<{ text: string }>(db, sql`select ${text}::text as text`)
    expect(found?.text).toBe(text)
    const many = await rows(db, sql`select n, 'text ' || n from generate_series(1, 50000) n`)
    expect(many).toHaveLength(50_000)
  })
})

describe('a transaction', () => {
  beforeAll(() => db.execute(sql`create table public.counted (n int)`))
  afterEach(() => db.execute(sql`truncate public.counted`))

  test('is rolled back when its statement is stopped', async () => {
    const work = db.transaction(async (tx) => {
      await tx.execute(sql`insert into public.counted values (1)`)
      await withBudget({ ms: 200 }, () => tx.execute(LONG))
    })
    expect(isUnavailable(await failure(work))).toBe(true)
    expect(await count('counted')).toBe(0)
  })

  test('has the connection to itself', async () => {
    const transactions = Array.from({ length: 30 }, (_, round) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into public.counted values (1)`)
        await tx.execute(sql`insert into public.counted values (2)`)
        if (round % 3 === 0) throw new Error('mine')
      }),
    )
    const seen = Array.from({ length: 30 }, () => count('counted'))
    await Promise.allSettled(transactions)
    expect(await count('counted')).toBe(40)
    expect((await Promise.all(seen)).filter((n) => n % 2 !== 0)).toEqual([])
  })
})

describe('a thread that ends', () => {
  test('takes with it what runs, and the next statement finds all that was committed', async () => {
    await db.execute(sql`create table public.kept as select generate_series(1, 1000) as n`)
    for (let round = 0; round < 3; round++) {
      // Reads would be sent once more.
      const running = failure(db.execute(sql`do 'begin loop end loop; end'`))
      const transaction = failure(
        db.transaction(async (tx) => {
          await tx.execute(sql`insert into public.kept values (0)`)
          await server.endThread()
          await tx.execute(sql`insert into public.kept values (0)`)
        }),
      )
      setTimeout(() => server.endThread(), 100)
      expect(isUnavailable(await running)).toBe(true)
      expect(isUnavailable(await transaction)).toBe(true)
      expect(await count('kept')).toBe(1000)
    }
  })
})

describe('the upkeep', () => {
  test('reclaims what deleted rows took', async () => {
    await db.execute(sql`create table public.emptied as select generate_series(1, 5000) as n`)
    await db.execute(sql`delete from public.emptied`)
    const size = async () =>
      one(await rows<{ n: number }>(db, sql`select pg_relation_size('emptied')::int as n`)).n
    expect(await size()).toBeGreaterThan(100_000)
    await maintain(db, server)
    expect(await size()).toBe(0)
  })

  test('yields to a request that comes meanwhile', async () => {
    const own = server.run('select count(*) from generate_series(1, 1000000000)')
    expect(await rows(db, sql`select 1 as n`)).toEqual([{ n: 1 }])
    expect(await own).toBe(false)
  })

  test('says what failed', async () => {
    await expect(server.run('vacuum public.missing')).rejects.toThrow('42P01')
  })
})
