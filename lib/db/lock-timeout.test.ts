import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { isContention } from './errors'
import { one, rows } from './sql'

test.runIf(testsOnPostgres())('a statement gives up a locked table within seconds', async () => {
  const { db } = await testDeps()
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table engine.users in access exclusive mode`)
    const refused = await db.execute(sql`select 1 from engine.users`).catch((error) => error)
    expect(isContention(refused)).toBe(true)
    // On the server's clock, from the lock to the refusal.
    const waited = sql`select extract(epoch from clock_timestamp() - now())::float as s`
    expect(one(await rows<{ s: number }>(tx, waited)).s).toBeLessThan(4.5)
  })
})
