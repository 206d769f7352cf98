import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rollback, run, undoTwice, v1 } from '../../../testing/rollbacks'
import { deps, search } from '../../../testing/versions'

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
  expect((await search({ fields: ['id', 'name', 'price', 'color'] }))[0]).toEqual({
    id: 1,
    name: 'Mug',
    price: 3,
    color: 'blue',
  })
})
