import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deps, install, items, property } from '../../testing/changed-items'

test('a record gets another key where its former one does not fit the key', async () => {
  const records = [{ a: 'x' }]
  const properties = [property('a', 'string')]
  await install(items(records, { properties }))
  await deps.db.execute(sql`delete from entities.item`)
  const files = {
    ...items(records, { properties }),
    'EngineEntities/Item.json': {
      name: 'Item',
      pks: [{ key: 'code', strategy: 'AutoIncrement', type: 'number' }],
    },
  }
  expect((await install(files)).counts).toEqual([1, 0, 0])
  expect((await install(files)).counts).toEqual([0, 0, 1])
})
