import { expect, test } from 'vitest'
import { edit, next, THREE, upgrade } from '../../testing/upgrades'
import { installed, integer, search, text } from '../../testing/versions'

test('a widened or added field is no change of the record here', async () => {
  await installed(next(THREE))
  await edit(`name = 'Bowl'`, 2)
  const properties = [text('name'), text('price'), text('note'), integer('stock', { default: 5 })]
  const records = THREE.map((record) => ({ ...record, price: `${record.price} EUR`, stock: 7 }))
  const { counts, log } = await upgrade(records, '', { properties })
  expect([counts, log?.conflictCount]).toEqual([[0, 3, 0], 0])
  expect(await search({ fields: ['name', 'price', 'stock'] })).toEqual([
    { name: 'Cup', price: '3 EUR', stock: 7 },
    { name: 'Bowl', price: '5 EUR', stock: 7 },
    { name: 'Fork', price: '1 EUR', stock: 7 },
  ])
})
