import { test as always, expect } from 'vitest'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { PATCH } from './batch/route'
import {
  change,
  create,
  createMany,
  define,
  deps,
  headers,
  numbers,
  stored,
  to,
} from './testing/orders'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const part = (code: string) => ({ code, rank: 1 })

test('a fault in a child or below leaves nothing, and its place is a pointer', async () => {
  const items = [{ product: 'a' }, { product: 'b', amount: 0, parts: [{ code: 'x' }] }]
  const failed = await create({ title: 'First', items })
  expect([failed.status, failed.body.validations]).toMatchObject([
    400,
    [{ field: '/items/1/amount' }],
  ])
  const below = await createMany([
    {},
    { items: { create: [{ product: 'a', parts: [{ code: 'x' }] }] } },
  ])
  expect(below.body.validations).toEqual([
    { field: '/records/1/items/create/0/parts/0/rank', error: 'is required' },
  ])
  const taken = await create({ items: [{ product: 'a', parts: [part('x'), part('x')] }] })
  expect(taken.status).toBe(409)
  expect(taken.body.validations).toMatchObject([{ field: '/items/0/parts/1/code' }])
  expect(await numbers()).toEqual([0, 0, 0])
})

test('what is no list of children is refused', async () => {
  await create({})
  for (const [items, field] of [
    [[{ product: 'a' }], '/items'],
    [null, '/items'],
    ['a', '/items'],
    [{ add: [] }, '/items/add'],
    [{ create: {} }, '/items/create'],
    [{ create: [5] }, '/items/create/0'],
    [{ update: [{ id: 1, parts: [part('x')] }] }, '/items/update/0/parts'],
    [{ update: [{ product: 'a' }] }, '/items/update/0/id'],
  ] as const) {
    const { status, body } = await change(1, { items })
    expect([status, body.validations]).toMatchObject([400, [{ field }]])
  }
  for (const name of ['update', 'delete'])
    expect((await create({ items: { [name]: [] } })).body.validations).toMatchObject([
      { field: `/items/${name}` },
    ])
  expect((await change(1, { items: {}, title: 'T' })).status).toBe(200)
  expect(await numbers()).toEqual([1, 0, 0])
})

test('children nest two levels deep, and are 10,000 records at most', async () => {
  await define({ name: 'Screw', pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }] }, [
    { name: 'part', type: 'string', meta: to('Part', 'code', 'screws') },
  ])
  const deep = await create({ items: [{ product: 'a', parts: [{ ...part('x'), screws: [{}] }] }] })
  expect(deep.body.validations).toMatchObject([{ field: '/items/0/parts/0/screws' }])
  const parts = Array.from({ length: 9_998 }, (_, at) => part(`${at}`))
  const many = await create({ items: [{ product: 'a', parts: [...parts, part('last')] }] })
  expect([many.status, many.body.error]).toEqual([
    400,
    expect.stringContaining('At most 10000 records'),
  ])
  expect((await create({ items: [{ product: 'a', parts }] })).status).toBe(201)
  expect(await numbers()).toEqual([1, 1, 9_998])
})

test('numbers with endless digits are refused at once, in children and in computed fields', async () => {
  await create({ items: [{ product: 'a' }] })
  for (const number of ['1e999999999', '1e-999999999', `0.${'0'.repeat(1_000_000)}1`]) {
    const items = { create: [{ product: 'b', order: number }] }
    const { status, body } = await change(1, { items })
    expect([status, body.validations]).toMatchObject([400, [{ field: '/items/create/0/order' }]])
    const computed = await change(1, { worth: number }, { name: 'Item' })
    expect([computed.status, computed.body.validations]).toMatchObject([400, [{ field: 'worth' }]])
  }
  expect(await numbers()).toEqual([1, 1, 0])
})

test('a record with a value that no child can have has none', async () => {
  const fixed = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  const rates = [1.5, 99_999].map((value, at) => ({ id: at + 1, value }))
  await define(
    { name: 'Rate', pks: fixed },
    [{ name: 'value', type: 'decimal', meta: { unique: true } }],
    rates,
  )
  await define(
    { name: 'Use', pks: fixed },
    [{ name: 'rate', type: 'smallint', meta: to('Rate', 'value', 'uses') }],
    [{ id: 7 }],
  )
  for (const id of [1, 2])
    for (const uses of [{ create: [{ id: 5 }] }, { update: [{ id: 7 }] }, { delete: [7] }]) {
      const { status, body } = await change(id, { uses }, { name: 'Rate' })
      expect([status, body.validations]).toMatchObject([400, [{ field: '/uses' }]])
    }
})

test('an edit of all matching records sets no list', async () => {
  const { status, body } = await call(deps, PATCH, {
    ...{ method: 'PATCH', path: '/', params: { entityName: 'Order' }, headers },
    body: { entity: 'Order', set: { items: [] } },
  })
  expect([status, body.validations]).toEqual([
    400,
    [{ field: 'set.items', error: 'is a list of records of Item: write it with each record' }],
  ])
})

test('a record that its own list deletes is not written', async () => {
  const fixed = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  await define(
    { name: 'Topic', pks: fixed },
    [{ name: 'above', type: 'integer', meta: to('Topic', 'id', 'topics') }],
    [{ id: 1, above: 1 }],
  )
  const { status } = await change(1, { topics: { delete: [1] } }, { name: 'Topic' })
  expect([status, await stored('topic', 'id')]).toEqual([404, [{ id: 1 }]])
})

always.runIf(testsOnCitus())('children on the nodes of a cluster are not written', async () => {
  const { status, body } = await create({ items: [{ product: 'a' }] })
  expect([status, body.validations]).toEqual([
    400,
    [{ field: '/items', error: 'Is on the nodes of a cluster' }],
  ])
})
