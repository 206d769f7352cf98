import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { isUnavailable } from './errors'
import { type Db, one, rows } from './sql'

const deps = freshDeps()
beforeEach(async () => {
  await deps.db.execute(sql`create table entities.t (n int primary key)`)
})

const insert = (db: Db, n: number) => db.execute(sql`insert into entities.t values (${n})`)
const stored = async () =>
  (await rows<{ n: number }>(deps.db, sql`select n from entities.t order by n`)).map(({ n }) => n)

describe('a transaction', () => {
  test('keeps what a failed savepoint leaves, and returns what its work does', async () => {
    const response = await deps.db.transaction(async (tx) => {
      await insert(tx, 1)
      const refused = tx.transaction((inner) => insert(inner, 1))
      await expect(refused).rejects.toThrow()
      await tx.transaction((inner) => insert(inner, 2))
      return 'done'
    })
    expect(response).toBe('done')
    expect(await stored()).toEqual([1, 2])
  })

  test('that fails leaves nothing', async () => {
    const failing = deps.db.transaction(async (tx) => {
      await tx.transaction((inner) => insert(inner, 1))
      throw new Error('mine')
    })
    await expect(failing).rejects.toThrow('mine')
    expect(await stored()).toEqual([])
  })
})

describe('a transaction whose connection breaks', () => {
  const pidOf = async (tx: Db) =>
    one(await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`)).pid
  const isEnded = async (pid: number) =>
    (await rows(deps.db, sql`select 1 from pg_stat_activity where pid = ${pid}`)).length === 0
  async function kill(pid: number): Promise<void> {
    await deps.db.execute(sql`select pg_terminate_backend(${pid}::int)`)
    await expect.poll(() => isEnded(pid)).toBe(true)
  }

  /** Ways to continue after the break. */
  const WORK: [string, (tx: Db, pid: number) => Promise<unknown>][] = [
    ['during a statement', (tx, pid) => Promise.all([tx.execute(SLEEP), kill(pid)])],
    [
      'during a statement, which the work does not mind',
      async (tx, pid) => {
        await Promise.all([tx.execute(SLEEP).catch(() => {}), kill(pid)])
        await insert(tx, 2).catch(() => {})
      },
    ],
    ['between two statements', async (tx, pid) => kill(pid).then(() => insert(tx, 2))],
    ['before its end', (_, pid) => kill(pid)],
    [
      'before it fails by itself',
      async (_, pid) => {
        await kill(pid)
        throw new Error('mine')
      },
    ],
    [
      'in a savepoint',
      (tx, pid) => tx.transaction((inner) => kill(pid).then(() => insert(inner, 2))),
    ],
    [
      'in a savepoint, during a statement, which the work does not mind',
      async (tx, pid) => {
        const nested = tx.transaction((inner) => Promise.all([inner.execute(SLEEP), kill(pid)]))
        await nested.catch(() => {})
        await tx.transaction((inner) => insert(inner, 2)).catch(() => {})
      },
    ],
  ]
  const SLEEP = sql`select pg_sleep(20)`

  test.each(WORK)('%s fails as the database being away, and leaves nothing', async (_, work) => {
    if (deps.dialect === 'pglite') return // has no connection that could break
    for (let round = 0; round < 5; round++) {
      const failing = deps.db.transaction(async (tx) => {
        await insert(tx, 1)
        await work(tx, await pidOf(tx))
      })
      expect(await failing.catch((error) => isUnavailable(error))).toBe(true)
    }
    // Neither one of their statements nor a connection that hangs is left.
    const others = Array.from({ length: 20 }, (_, n) =>
      deps.db.transaction((tx) => insert(tx, 10 + n)).catch((error) => isUnavailable(error)),
    )
    expect((await Promise.all(others)).filter((response) => response === false)).toEqual([])
    expect((await stored()).filter((n) => n < 10)).toEqual([])
  })
})
