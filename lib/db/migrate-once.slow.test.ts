import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { sessionUrl } from '@/lib/testing/second-instance'
import { migrateOnce } from './migrations'
import { connectOnce } from './postgres-connection'
import { one, rows } from './sql'

const deps = freshDeps()

describe.runIf(testsOnPostgres())('a migration', () => {
  test('of a table that is locked does not hold up its readers, and comes in the end', async () => {
    const url = await sessionUrl(deps)
    const holder = await connectOnce(url)
    await holder.query('begin; select from engine.images')
    const change = sql`alter table engine.images add column later text`
    const migrating = migrateOnce(
      () => connectOnce(url),
      (db) => db.execute(change),
    )
    const waits = sql`select count(*)::int as n from pg_locks where relation = 'engine.images'::regclass and not granted`
    const waiting = async () => one(await rows<{ n: number }>(deps.db, waits)).n
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect.poll(waiting, { interval: 5 }).toBe(1)
      await deps.db.execute(sql`select from engine.images`)
      await expect.poll(waiting, { interval: 5 }).toBe(0)
    }
    await holder.end()
    await migrating
    await deps.db.execute(sql`alter table engine.images drop column later`)
  })

  test('runs in one server at a time', async () => {
    const url = await sessionUrl(deps)
    let running = 0
    const most = await Promise.all(
      Array.from({ length: 4 }, async () => {
        let seen = 0
        await migrateOnce(
          () => connectOnce(url),
          async (db) => {
            seen = ++running
            await db.execute(sql`select pg_sleep(0.05)`)
            running--
          },
        )
        return seen
      }),
    )
    expect(most).toEqual([1, 1, 1, 1])
  })

  test('that is wrong is not tried again', async () => {
    const url = await sessionUrl(deps)
    let attempts = 0
    const wrong = migrateOnce(
      () => connectOnce(url),
      (db) => {
        attempts++
        return db.execute(sql`select nonsense`)
      },
    )
    await expect(wrong).rejects.toThrow()
    expect(attempts).toBe(1)
  })
})
