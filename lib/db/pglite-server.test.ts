import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withBudget } from './budget'
import { isUnavailable } from './errors'
import { maintain } from './pglite'
import { one, rows } from './sql'
import { count, db, failure, LONG, server } from './testing/pglite'

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
