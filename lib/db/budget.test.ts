import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { freshDeps, testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { currentBudget, withBudget, withOwnBudget } from './budget'
import { refusalIn } from './errors'
import { rows } from './sql'

describe('a budget', () => {
  test('within another has the earlier deadline, its message, and either signal', async () => {
    const client = new AbortController()
    const narrow = () => new AppError('unavailable', 'narrow the search')
    await withBudget({ ms: 10_000, signal: client.signal }, async () => {
      const outer = currentBudget()
      await withBudget({ ms: 1_000, exceeded: narrow }, async () => {
        expect(currentBudget().deadline).toBeLessThan(outer.deadline)
        expect(currentBudget().exceeded().message).toBe('narrow the search')
        expect(currentBudget().signal).toBe(client.signal)
      })
      const { signal } = new AbortController()
      await withBudget({ ms: 60_000, exceeded: narrow, signal }, async () => {
        expect(currentBudget().deadline).toBe(outer.deadline)
        expect(currentBudget().exceeded().message).toBe('narrow the search')
        client.abort()
        expect(currentBudget().signal?.aborted).toBe(true)
      })
      const { deadline, signal: none } = await withOwnBudget({}, async () => currentBudget())
      expect([deadline, none]).toEqual([Infinity, undefined])
    })
  })
})

describe('a statement', () => {
  const deps = freshDeps()
  // The embedded database can interrupt what works, and not what sleeps.
  const SLEEP = testsOnPostgres()
    ? sql`select pg_sleep(60)`
    : sql`select count(*) from generate_series(1, 1000000000)`
  const running = () =>
    rows(
      deps.db,
      sql`select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'
          and datname = current_database()`,
    )

  test.each<[string, (work: () => Promise<unknown>) => Promise<unknown>]>([
    ['at its deadline', (work) => withBudget({ ms: 300 }, work)],
    ['when the client leaves', (work) => withBudget({ signal: AbortSignal.timeout(300) }, work)],
  ])('is stopped %s, also in a transaction, and leaves no trace', async (_, within) => {
    await deps.db.execute(sql`create table entities.t (n int)`)
    const alone = within(() => deps.db.execute(SLEEP)).catch(refusalIn)
    const inside = within(() =>
      deps.db.transaction(async (tx) => {
        await tx.execute(sql`insert into entities.t values (1)`)
        await tx.execute(SLEEP)
      }),
    ).catch(refusalIn)
    expect(await Promise.all([alone, inside])).toMatchObject([
      { code: 'unavailable' },
      { code: 'unavailable' },
    ])
    if (deps.dialect === 'postgres') await expect.poll(running).toEqual([])
    expect(await rows(deps.db, sql`select n from entities.t`)).toEqual([])
  })

  test('that can only come too late is not sent', async () => {
    const late = withBudget({ ms: 0 }, () => deps.db.execute(sql`select 1`))
    expect(await late.catch(refusalIn)).toMatchObject({ code: 'unavailable' })
  })

  test('whose budget names its own fault says that', async () => {
    const exceeded = () => new AppError('unavailable', 'narrow the search')
    const stopped = withBudget({ ms: 100, exceeded }, () => deps.db.execute(SLEEP))
    expect(await stopped.catch(refusalIn)).toMatchObject({ message: 'narrow the search' })
  })

  test('that waits for a lock fails within seconds', async () => {
    if (deps.dialect === 'pglite') return
    await deps.db.execute(sql`create table entities.t (n int)`)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isLocked = () => {}
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve
    })
    const holder = deps.db.transaction(async (tx) => {
      await tx.execute(sql`lock table entities.t`)
      isLocked()
      await held
    })
    await locked
    const startedAt = performance.now()
    const failure = await deps.db.execute(sql`select n from entities.t`).catch((error) => error)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(failure).toMatchObject({ cause: { code: '55P03' } })
    release()
    await holder
  })
})

describe('a transaction', () => {
  test('in which a statement failed is an error, even if the work did not mind', async () => {
    const deps = await testDeps()
    const transaction = deps.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 / 0`).catch(() => {})
    })
    await expect(transaction).rejects.toMatchObject({ cause: { code: '22012' } })
  })
})
