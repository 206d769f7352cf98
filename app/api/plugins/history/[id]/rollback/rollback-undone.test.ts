import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rollback, run, state, v1 } from '../../../testing/rollbacks'
import { deps, integer, search, text } from '../../../testing/versions'

const fields = ['id', 'name', 'price', 'color']

/** Rolls an install back and that back too, and compares what is stored before and after each. */
async function undoTwice(install: () => Promise<number>): Promise<number> {
  const before = await state()
  const id = await install()
  const after = await state()
  const back = (await rollback(id)).body.data.history
  expect(await state()).toEqual(before)
  const again = (await rollback(back)).body.data.history
  expect(await state()).toEqual(after)
  return again
}

test('a record of somebody that an upgrade overwrote', async () => {
  await run(v1())
  await deps.db.execute(
    sql`insert into entities.thing (id, name, price, "$extra") values (9, 'Own', 1, '{"color": "mine"}')`,
  )
  const again = await undoTwice(() =>
    run(v1({ records: [{ id: 9, name: 'Pot', price: 2, color: 'red' }] })),
  )
  await deps.db.execute(sql`update entities.thing set price = 7 where id = 9`)
  const { body } = await rollback(again, '?dryRun=true')
  expect(body.data.plan.files.at(-1).conflicts).toEqual([
    {
      key: '9',
      change: 'edited',
      decision: 'keep',
      fields: [{ field: 'price', base: 2, ours: 7, theirs: 1 }],
    },
  ])
})

test('an edit that an upgrade took back', async () => {
  await run(v1())
  await deps.db.execute(
    sql`update entities.thing set name = 'Own', "$extra" = '{"color": "mine"}' where id = 1`,
  )
  await undoTwice(() =>
    run(v1({ records: [{ id: 1, name: 'Mug', price: 3, color: 'blue' }] }), '?onConflict=take'),
  )
  expect((await search({ fields }))[0]).toEqual({ id: 1, name: 'Mug', price: 3, color: 'blue' })
})

test('what somebody changed since a rollback is kept when the rollback is undone', async () => {
  await run(v1())
  const second = await run(v1({ records: [{ id: 1, name: 'Mug', price: 4, color: 'blue' }] }))
  const back = (await rollback(second)).body.data.history
  await deps.db.execute(sql`update entities.thing set name = 'Own' where id = 1`)
  const { body } = await rollback(back)
  expect(body.data.failedCount).toBe(0)
  expect((await search({ fields }))[0]).toEqual({ id: 1, name: 'Own', price: 4, color: 'blue' })
})

test('a field that is required since an upgrade that gave it to each record', async () => {
  await run(v1())
  await undoTwice(() =>
    run(
      v1({
        properties: [text('name'), integer('price'), integer('stock', { required: true })],
        records: [1, 2, 3].map((id) => ({ id, name: 'Mug', price: 4, stock: id })),
      }),
    ),
  )
  expect((await search({ fields: ['stock'] })).map(Object.values as never)).toEqual([[1], [2], [3]])
})
