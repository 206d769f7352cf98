import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { rows } from './sql'

const deps = freshDeps()

/** A promise and the way to resolve it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('a lock', () => {
  test('is held by one at a time', async () => {
    let inside = 0
    const work = () =>
      deps.locks.hold('k', 20_000, async () => {
        expect(++inside).toBe(1)
        await rows(deps.db, sql`select 1`)
        inside--
      })
    await Promise.all(Array.from({ length: 5 }, work))
  })

  test('that is granted to somebody who has released its own meanwhile is free', async () => {
    const first = await deps.locks.take('a', 0)
    const second = await deps.locks.take('b', 0)
    const late = second.also('a', 5_000).catch(() => {})
    await second.release()
    await first.release()
    await late
    await expect.poll(() => deps.locks.isHeld('a')).toBe(false)
  })

  test('that stays held is a conflict after the wait, which the holder does not notice', async () => {
    const { open, opened } = gate()
    const held = gate()
    const holder = deps.locks.hold('k', 0, async () => {
      held.open()
      await opened
      return 'done'
    })
    await held.opened
    expect(await deps.locks.isHeld('k')).toBe(true)
    await expect(deps.locks.hold('k', 150, async () => {})).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"k"'),
    })
    expect(await deps.locks.hold('other', 0, async () => 'free')).toBe('free')
    open()
    expect(await holder).toBe('done')
    expect(await deps.locks.isHeld('k')).toBe(false)
  })

  test('is free after work that failed, with all that was taken meanwhile', async () => {
    const failing = deps.locks.hold('a', 0, async (also) => {
      await also('b', 0)
      expect(await deps.locks.isHeld('b')).toBe(true)
      throw new Error('failed')
    })
    await expect(failing).rejects.toThrow('failed')
    expect(await Promise.all(['a', 'b'].map(deps.locks.isHeld))).toEqual([false, false])
  })

  test('of any number of concurrent holders leaves the others and the pool their connections', async () => {
    const { open, opened } = gate()
    let holding = 0
    const all = Array.from({ length: 30 }, (_, n) =>
      deps.locks.hold(`k${n}`, 0, async (also) => {
        await also(`l${n}`, 0)
        expect(await deps.locks.isHeld(`k${(n + 1) % 30}`)).toEqual(expect.any(Boolean))
        if (++holding === 30) open()
        await opened
      }),
    )
    await Promise.all(all)
    expect(holding).toBe(30)
  })

  test('whose connection breaks ends neither the work nor the process, and is free', async () => {
    if (deps.dialect !== 'postgres') return // the embedded database's locks have no connection
    const result = deps.locks.hold('k', 0, async (also) => {
      const [found] = await rows<{ pid: number }>(
        deps.db,
        sql`select pid from pg_locks where locktype = 'advisory' and objsubid = 1
            and database = (select oid from pg_database where datname = current_database())`,
      )
      await deps.db.execute(sql`select pg_terminate_backend(${found?.pid}::int)`)
      await expect.poll(() => deps.locks.isHeld('k')).toBe(false)
      await expect(also('more', 0)).rejects.toMatchObject({ code: 'unavailable' })
      return 'done'
    })
    expect(await result).toBe('done')
    expect(await deps.locks.hold('k', 0, async () => 'again')).toBe('again')
  })
})
