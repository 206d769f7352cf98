import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'

const deps = freshDeps()
let unsubscribe = () => {}
let received: string[] = []
beforeEach(async () => {
  received = []
  unsubscribe = await deps.bus.subscribe('engine_mail', (payload) => received.push(payload))
})
afterEach(() => unsubscribe())

test('a message reaches the listeners of its channel alone, until they leave', async () => {
  const others: string[] = []
  const leave = await deps.bus.subscribe('engine_registry', (payload) => others.push(payload))
  await deps.bus.publish('engine_mail', 'one')
  await expect.poll(() => received).toEqual(['one'])
  leave()
  unsubscribe()
  await deps.bus.publish('engine_mail', 'two')
  await deps.bus.publish('engine_registry', 'three')
  // What was sent later arrives later: once this one is here, the others would have been.
  const last = new Promise<string>((resolve) => {
    void deps.bus
      .subscribe('engine_installs', resolve)
      .then(() => deps.bus.publish('engine_installs', 'four'))
  })
  expect(await last).toBe('four')
  expect([received, others]).toEqual([['one'], []])
})

test.runIf(testsOnPostgres())('listens again after its connection was ended', async () => {
  await deps.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`)
  const send = async () => {
    await deps.bus.publish('engine_mail', 'again')
    return received.at(-1)
  }
  await expect.poll(send).toBe('again')
})
