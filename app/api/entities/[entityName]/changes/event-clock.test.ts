import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventClock } from '@/lib/events/event-clock'
import { testsOnPostgres } from '@/lib/testing/deps'
import { change, create, deps } from './testing/followed'

const { signal } = new AbortController()

/** Until nothing more is said to be new. */
async function settled() {
  const clock = eventClock(deps.db)
  while (await clock.next(clock.turn, 1_000, signal));
  return clock
}

test('those who wait are not woken while nothing changes, and are by what changed before they waited', async () => {
  await create({ id: 1 })
  const clock = await settled()
  const { turn } = clock
  expect(await clock.next(turn, 1_000, signal)).toBe(false)
  await change('1', { title: 'B' })
  expect(await clock.next(turn, 1_000, signal)).toBe(true)
  await settled()
})

test('a transaction that goes on wakes no one until it ends', async (context) => {
  context.skip(!testsOnPostgres())
  await create({ id: 1 })
  await settled()
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  await new Promise<void>((started, fail) => {
    deps.db
      .transaction(async (tx) => {
        await tx.execute(sql`select pg_current_xact_id()`)
        started()
        await held
      })
      .catch(fail)
  })
  await change('1', { title: 'B' })
  const clock = await settled()
  const { turn } = clock
  end()
  expect(await clock.next(turn, 5_000, signal)).toBe(true)
})

test('a transaction that wrote wakes those who wait once it ends, however long that takes', async (context) => {
  context.skip(!testsOnPostgres())
  const clock = await settled()
  let turn = 0
  await deps.db.transaction(async (older) => {
    await older.execute(sql`select pg_current_xact_id()`)
    await deps.db.transaction(async (writer) => {
      await writer.execute(sql`insert into entities.book (id) values (1)`)
      await settled()
      turn = clock.turn
    })
    expect(await clock.next(turn, 500, signal)).toBe(false)
  })
  expect(await clock.next(turn, 5_000, signal)).toBe(true)
})

test('so does one that nothing else runs beside', async (context) => {
  context.skip(!testsOnPostgres())
  const clock = await settled()
  let turn = 0
  await deps.db.transaction(async (writer) => {
    await writer.execute(sql`insert into entities.book (id) values (1)`)
    await settled()
    turn = clock.turn
  })
  expect(await clock.next(turn, 5_000, signal)).toBe(true)
})
