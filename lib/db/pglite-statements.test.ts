import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { withBudget, withOwnBudget } from './budget'
import { databaseError, isUnavailable, refusalIn } from './errors'
import { rows } from './sql'
import { count, db, failure, LONG } from './testing/pglite'

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
    expect(await failure(withBudget({ request: {} }, () => db.execute(sql`select 1`)))).toBe(null)
    expect(refusalIn(await running)?.message).toBe('Narrow it')
  })

  test('yields neither to jobs of the server nor to what its own request also does', async () => {
    const request = {}
    const exceeded = () => new AppError('unavailable', 'Narrow it')
    const limits = { yieldsAfterMs: 100, ms: 60_000, exceeded, request }
    const running = withBudget(limits, () => rows(db, sql`select pg_sleep(0.6)::text as slept`))
    const others = [
      withOwnBudget({ ms: 5_000 }, () => db.execute(sql`select 1`)),
      withBudget({ request }, () => db.execute(sql`select 1`)),
    ]
    expect(await running).toEqual([{ slept: '' }])
    await Promise.all(others)
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
