import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { databaseState } from '@/lib/testing/database-state'
import { logsOf } from '../../../testing/plugin-api'
import { rollback, run, v1, v2 } from '../../../testing/rollbacks'
import { deps, search } from '../../../testing/versions'

test('what was edited since is kept and listed, or taken', async () => {
  await run(v1())
  const more = {
    records: [
      { id: 1, name: 'Mug', price: 4 },
      { id: 2, name: 'Dish', price: 6 },
      { id: 3, name: 'Fork', price: 1 },
      { id: 8, name: 'New', price: 1 },
      { id: 9, name: 'Newer', price: 1 },
    ],
  }
  const second = await run(v1(more))
  await deps.db.execute(sql`update entities.thing set price = 99 where id in (1, 9)`)
  await deps.db.execute(sql`delete from entities.thing where id = 2`)
  const kept = await rollback(second, '?dryRun=true')
  const { plan } = kept.body.data
  expect(plan.files.at(-1)).toMatchObject({
    conflictCount: 3,
    conflicts: [
      {
        key: '1',
        change: 'edited',
        decision: 'keep',
        fields: [{ field: 'price', base: 4, ours: 99, theirs: 3 }],
      },
      { key: '2', change: 'deleted' },
      { key: '9', change: 'edited' },
    ],
    removed: { deleted: 1 },
  })
  expect((await rollback(second, '?onConflict=fail')).status).toBe(409)
  expect((await rollback(second, '?seal=other')).status).toBe(409)
  const { body } = await rollback(second, `?seal=${plan.seal}`)
  expect(await search({ fields: ['id', 'name', 'price'] })).toEqual([
    { id: 1, name: 'Cup', price: 99 },
    { id: 3, name: 'Fork', price: 1 },
    { id: 9, name: 'Newer', price: 99 },
  ])
  const [, log] = await logsOf(deps, body.data.history)
  expect(log).toMatchObject({ conflictCount: 3, records: { updated: 1 } })
  await rollback(body.data.history)
  await rollback(second, '?onConflict=take')
  expect(await search({ fields: ['id', 'name', 'price'] })).toEqual([
    { id: 1, name: 'Cup', price: 3 },
    { id: 2, name: 'Dish', price: 5 },
    { id: 3, name: 'Fork', price: 1 },
  ])
})

test('a dry run changes nothing', async () => {
  await run(v1())
  const second = await run(v2())
  const before = await settled()
  const { body } = await rollback(second, '?dryRun=true')
  expect(body.data.plan).toMatchObject({ status: 'SUCCESS', totalFiles: 2, failedCount: 0 })
  expect(await settled()).toEqual(before)
})

/** Counters go on whatever becomes of a transaction. */
const settled = async () =>
  Object.entries(await databaseState(deps.db)).filter(([name]) => !name.endsWith('_seq'))
