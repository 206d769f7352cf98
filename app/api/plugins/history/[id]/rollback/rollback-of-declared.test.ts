import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rollback, run, state } from '../../../testing/rollbacks'
import { deps, integer, search, text, version } from '../../../testing/versions'

test('undeclared values are as they were before they got the type of a property', async () => {
  await run(
    version({
      properties: [],
      records: [
        { id: 1, size: '3' },
        { id: 2, size: 4 },
        { id: 3, size: '5' },
        { id: 4, size: '6' },
      ],
    }),
  )
  await deps.db.execute(
    sql`insert into entities.thing (id, "$extra") values (8, '{"size": "9"}'), (9, '{"size": null}')`,
  )
  const before = await state()
  const records = [
    { id: 1, size: 8 },
    { id: 4, size: 6 },
  ]
  const declared = version({ properties: [integer('size', { default: 4 })], records })
  const second = await run(declared, '?removed=delete')
  expect((await search()).map(Object.values as never)).toEqual([
    [1, 8],
    [4, 6],
    [8, 9],
    [9, 4],
  ])
  const after = await state()
  const back = (await rollback(second)).body.data.history
  expect(await state()).toEqual(before)
  const again = (await rollback(back)).body.data.history
  expect(await state()).toEqual(after)
  await rollback(again)
  expect(await state()).toEqual(before)
})

test('a field without a value is empty again that got its default when it became required', async () => {
  const things = (meta: object, records: object[]) =>
    version({ properties: [text('name', { default: 'B', ...meta }), integer('n')], records })
  const records = [1, 2, 3].map((id) => ({ id, name: null }))
  await run(things({}, records))
  await deps.db.execute(sql`insert into entities.thing (id) values (8)`)
  const before = await state()
  const second = await run(
    things({ required: true }, [
      { id: 1, name: 'x' },
      { id: 2, n: 1 },
    ]),
  )
  expect((await search({ fields: ['name'] })).flatMap(Object.values)).toEqual(['x', 'B', 'B', 'B'])
  const after = await state()
  const back = (await rollback(second)).body.data.history
  expect(await state()).toEqual(before)
  await rollback(back)
  expect(await state()).toEqual(after)
})
