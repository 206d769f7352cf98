import { beforeEach, expect, test } from 'vitest'
import { LAST, MANY, prices, things } from '../../testing/large-files'
import { PROPERTIES, upgrade } from '../../testing/upgrades'
import { integer } from '../../testing/versions'

beforeEach(async () => {
  expect(await upgrade(things())).toMatchObject({ verdict: 'created', counts: [MANY, 0, 0] })
})

test('faults in a late part are named with their positions, and nothing is written', async () => {
  const next = [...things(2), { id: MANY + 1, price: 'dear' }, { id: MANY + 2, price: 1.5 }]
  const { verdict, log } = await upgrade(next)
  expect(verdict).toBe('Invalid record')
  expect(log?.details.map(({ index }) => index)).toEqual([MANY, MANY + 1])
  expect(await prices(1, MANY)).toEqual([1, 1])
})

test('values that are taken are named with their positions, and nothing is written', async () => {
  const properties = [...PROPERTIES, integer('code', { unique: true })]
  const coded = (price: number) => things(price).map((thing) => ({ ...thing, code: thing.id }))
  expect(await upgrade(coded(1), '', { properties })).toMatchObject({ counts: [0, MANY, 0] })
  const next = coded(2).map((thing) => (thing.id > LAST ? { ...thing, code: 1 } : thing))
  const { verdict, log } = await upgrade(next, '', { properties })
  expect(verdict).toBe('Conflict Issue!')
  expect(log?.details.map(({ index }) => index)).toEqual([LAST])
  expect(await prices(1, MANY)).toEqual([1, 1])
})

test('records refer to others in a later part of the file', async () => {
  const properties = [
    ...PROPERTIES,
    integer('next', { reference: { entity: 'Thing', field: 'id' } }),
  ]
  const linked = things().map((thing) => ({ ...thing, next: (thing.id % (MANY + 50)) + 1 }))
  expect(await upgrade([...linked, { id: MANY + 1 }], '', { properties })).toMatchObject({
    counts: [1, MANY, 0],
  })
  const { verdict, log } = await upgrade([...linked.slice(0, -1), { id: MANY, next: 1_000 }], '', {
    properties,
  })
  expect(verdict).toBe('Missing dependency')
  expect(log?.details.map(({ index }) => index)).toEqual([LAST])
})
