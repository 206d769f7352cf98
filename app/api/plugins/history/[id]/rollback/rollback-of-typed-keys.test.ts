import { expect, test } from 'vitest'
import { run, undoTwice } from '../../../testing/rollbacks'
import { integer, search, version } from '../../../testing/versions'

// Of times and dates nodes of a cluster make no text in a change.
test.each([
  ['decimal', 'number', (n: number) => n + 0.5],
  ['string', 'string', (n: number) => `k${n}`],
  ['date', 'string', (n: number) => `2024-01-0${n}`],
  ['Date', 'string', (n: number) => `2024-01-01T00:00:0${n}.000Z`],
])('records with a key of type %s go with an upgrade, and come back', async (type, pk, keyOf) => {
  const entity = { pks: [{ key: 'id', strategy: 'Fixed', type: pk }] }
  const properties = [{ name: 'id', type }, integer('price')]
  const priced = (numbers: number[], price: number) =>
    version({ entity, properties, records: numbers.map((n) => ({ id: keyOf(n), price })) })
  await run(priced([1, 2, 3], 5))
  await undoTwice(() => run(priced([1, 4], 6), '?removed=delete'))
  expect(await search({ fields: ['price'] })).toEqual([{ price: 6 }, { price: 6 }])
})
