import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rollback, run, undoTwice, v1 } from '../../../testing/rollbacks'
import { deps, integer, search, text } from '../../../testing/versions'

test('what somebody changed since a rollback is kept when the rollback is undone', async () => {
  await run(v1())
  const second = await run(v1({ records: [{ id: 1, name: 'Mug', price: 4, color: 'blue' }] }))
  const back = (await rollback(second)).body.data.history
  await deps.db.execute(sql`update entities.thing set name = 'Own' where id = 1`)
  const { body } = await rollback(back)
  expect(body.data.failedCount).toBe(0)
  expect((await search({ fields: ['id', 'name', 'price', 'color'] }))[0]).toEqual({
    id: 1,
    name: 'Own',
    price: 4,
    color: 'blue',
  })
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
