import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { edit, next, PROPERTIES, THREE, table, upgrade } from '../../testing/upgrades'
import { deps, installed, search, version } from '../../testing/versions'

test('what only the plugin changed is taken, and what was changed here is kept', async () => {
  await installed(next(THREE))
  await edit(`price = 9, "$extra" = '{"color": "red", "mine": 1}'`, 1)
  await edit(`note = 'x'`, 2)
  const records = [{ ...THREE[0], name: 'Mug' }, { ...THREE[1] }, { ...THREE[2], price: 2 }]
  const { counts, log } = await upgrade(records)
  expect(counts).toEqual([0, 2, 1])
  expect(log?.conflictCount).toBe(0)
  expect(await search()).toEqual([
    { id: 1, name: 'Mug', price: 9, note: null, color: 'red', mine: 1 },
    { id: 2, name: 'Dish', price: 5, note: 'x' },
    { id: 3, name: 'Fork', price: 2, note: null },
  ])
  expect((await upgrade(records)).counts).toEqual([0, 0, 3])
})

test('records that others wrote are merged as before', async () => {
  await installed(version({ properties: PROPERTIES }))
  await deps.db.execute(
    sql`insert into ${table} (id, name, price, note) values (1, 'Mine', 7, 'n')`,
  )
  expect((await upgrade(THREE)).counts).toEqual([2, 1, 0])
  expect((await search())[0]).toMatchObject({ id: 1, name: 'Cup', price: 3, note: 'n' })
  await edit(`name = 'Again'`, 1)
  expect((await upgrade(THREE)).counts).toEqual([0, 0, 3])
})
