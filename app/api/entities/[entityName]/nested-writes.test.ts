import { test as always, expect } from 'vitest'
import { testsOnCitus } from '@/lib/testing/deps'
import type { JsonObject } from '@/lib/values/json'
import {
  change,
  changeMany,
  create,
  createMany,
  define,
  numbers,
  stored,
  to,
} from './testing/orders'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const part = (code: string) => ({ code, rank: 1 })

test('a new record brings its children, and those theirs', async () => {
  const items = [
    { product: 'Pen', amount: 2, parts: [part('cap'), part('ink')] },
    { product: 'Pad', parts: { create: [part('cover')] } },
  ]
  const { status, body } = await create({ title: 'First', items })
  expect([status, body.data]).toMatchObject([201, [{ id: 1, title: 'First' }]])
  expect(body.data[0].items).toBeUndefined()
  expect(await stored('item', 'id', 'order', 'product')).toEqual([
    { id: 1, order: 1, product: 'Pen' },
    { id: 2, order: 1, product: 'Pad' },
  ])
  expect(await stored('part', 'code', 'item')).toEqual([
    { code: 'cap', item: 1 },
    { code: 'cover', item: 2 },
    { code: 'ink', item: 1 },
  ])
})

test('many new records bring theirs each', async () => {
  const records: JsonObject[] = [
    { title: 'A', items: [{ product: 'a' }] },
    { title: 'B' },
    { title: 'C', items: { create: [{ product: 'c', parts: [part('x')] }, { product: 'd' }] } },
  ]
  expect((await createMany(records)).status).toBe(201)
  expect(await stored('item', 'product', 'order')).toEqual([
    { product: 'a', order: 1 },
    { product: 'c', order: 3 },
    { product: 'd', order: 3 },
  ])
  expect(await stored('part', 'code', 'item')).toEqual([{ code: 'x', item: 2 }])
})

test('a change creates, changes and deletes children, and leaves the others', async () => {
  const items = ['a', 'b', 'c'].map((product) => ({ product, amount: 1, price: 3 }))
  await create({ title: 'First', items })
  const { status, body } = await change(1, {
    items: {
      create: [{ product: 'd', parts: [part('x')] }],
      update: [{ id: 2, amount: 5, parts: { create: [part('y')] } }],
      delete: [3],
    },
  })
  expect([status, body.data]).toMatchObject([200, [{ id: 1, title: 'First' }]])
  expect(await stored('item', 'product', 'id', 'order', 'amount', 'worth')).toEqual([
    { product: 'a', id: 1, order: 1, amount: 1, worth: 3 },
    { product: 'b', id: 2, order: 1, amount: 5, worth: 15 },
    { product: 'd', id: 4, order: 1, amount: null, worth: null },
  ])
  expect(await stored('part', 'code', 'item')).toEqual([
    { code: 'x', item: 4 },
    { code: 'y', item: 2 },
  ])
})

test('changes of many records do so too, and a child may be sent as it was read', async () => {
  await createMany([{ items: [{ product: 'a', amount: 1, price: 1 }] }, {}])
  const update = [
    { id: 1, order: 1, product: 'A', amount: 1, price: 1, worth: 1, persistenceId: '1' },
  ]
  const { status } = await changeMany([
    { id: 1, title: 'One', items: { update } },
    { id: 2, items: { create: [{ product: 'b' }] } },
  ])
  expect(status).toBe(200)
  expect(await stored('item', 'product', 'order')).toEqual([
    { product: 'A', order: 1 },
    { product: 'b', order: 2 },
  ])
  expect(await stored('order', 'id', 'title')).toMatchObject([{ title: 'One' }, { title: null }])
})

test('a child belongs to its record: another one is refused, its own may be said', async () => {
  await createMany([{ items: [{ product: 'a' }] }, {}])
  for (const order of [1, null]) {
    const { status, body } = await change(2, { items: { create: [{ product: 'b', order }] } })
    expect([status, body.validations]).toMatchObject([400, [{ field: '/items/create/0/order' }]])
  }
  const moved = await change(1, { items: { update: [{ id: 1, order: 2 }] } })
  expect(moved.body.validations).toMatchObject([{ field: '/items/update/0/order' }])
  expect((await change(2, { items: { create: [{ product: 'b', order: 2 }] } })).status).toBe(200)
  const items = {
    update: [{ id: 2, product: 'B' }, { id: 1, product: 'A' }, { id: 9 }],
    delete: ['x', 1],
  }
  const { status, body } = await change(2, { items })
  expect([status, body.validations]).toEqual([
    400,
    [
      { field: '/items/delete/0', error: 'The record has no Item "x"' },
      { field: '/items/delete/1', error: 'The record has no Item 1' },
    ],
  ])
  const updated = await change(2, { items: { update: items.update } })
  expect(updated.body.validations).toEqual([
    { field: '/items/update/1', error: 'The record has no Item 1' },
    { field: '/items/update/2', error: 'The record has no Item 9' },
  ])
  expect(await stored('item', 'product')).toEqual([{ product: 'a' }, { product: 'b' }])
})

test('a child whose key is part of the reference says the rest, and a record may have children of its own kind', async () => {
  const fixed = (key: string) => ({ key, strategy: 'Fixed', type: 'number' })
  await define({ name: 'Line', pks: [fixed('order'), fixed('line')] }, [
    { name: 'order', type: 'integer', meta: to('Order', 'id') },
    { name: 'text', type: 'string' },
  ])
  await createMany([
    { LineByOrder: [{ line: 1 }, { line: 2 }, { line: 3 }] },
    { LineByOrder: [{ line: 1 }] },
  ])
  const LineByOrder = {
    update: [{ line: 1, text: 'one' }],
    delete: [{ line: 2 }, Buffer.from('{"order":1,"line":3}').toString('base64url')],
  }
  expect((await change(1, { LineByOrder })).status).toBe(200)
  expect(await stored('line', 'order', 'line', 'text')).toEqual([
    { order: 1, line: 1, text: 'one' },
    { order: 2, line: 1, text: null },
  ])
  const other = await change(1, { LineByOrder: { delete: [{ order: 2, line: 1 }] } })
  expect(other.body.validations).toMatchObject([{ field: '/LineByOrder/delete/0' }])

  await define({ name: 'Topic', pks: [{ key: 'id', strategy: 'UUID', type: 'string' }] }, [
    { name: 'name', type: 'string' },
    { name: 'above', type: 'string', meta: to('Topic', 'id', 'topics') },
  ])
  const body = { name: 'a', topics: [{ name: 'b', topics: [{ name: 'c' }] }] }
  expect((await create(body, { name: 'Topic' })).status).toBe(201)
  const topics = (await stored('topic', 'name', 'id', 'above')) as Record<string, string>[]
  expect(topics.map(({ above }) => topics.findIndex(({ id }) => id === above))).toEqual([-1, 0, 1])
})

test('children link others, and records of a link are children, too', async () => {
  await define(
    { name: 'Label', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    [],
    [{ code: 'new' }, { code: 'old' }],
  )
  await define({ name: 'ItemLabel', link: true }, [
    { name: 'item', type: 'integer', meta: to('Item', 'id', 'labels') },
    { name: 'label', type: 'string', meta: to('Label', 'code') },
    { name: 'since', type: 'integer' },
  ])
  const items = [
    { product: 'a', labels: ['new'] },
    { product: 'b', labels: ['old', 'none'] },
  ]
  expect((await create({ items })).body.validations).toEqual([
    { field: '/items/1/labels/1', error: 'There is no Label "none"' },
  ])
  expect((await create({ items: items.slice(0, 1) })).status).toBe(201)
  const [item] = await stored('item', 'id')
  const ItemLabelByItem = { create: [{ label: 'old', since: 3 }] }
  const update = [{ id: item?.id ?? null, ItemLabelByItem }]
  expect((await change(2, { items: { update } })).status).toBe(200)
  expect(await stored('item_label', 'label', 'since')).toEqual([
    { label: 'new', since: null },
    { label: 'old', since: 3 },
  ])
})

test('a name that is no list stays an undeclared field, and so does one that was such before', async () => {
  expect((await create({ ItemByOrder: [{ product: 'a' }], BoxByOrder: 5 })).status).toBe(201)
  await define({ name: 'Box' }, [{ name: 'order', type: 'integer', meta: to('Order', 'id') }])
  const { status, body } = await change(1, { BoxByOrder: [{}] })
  expect([status, body.data]).toMatchObject([200, [{ BoxByOrder: [{}] }]])
  expect(await numbers()).toEqual([1, 0, 0])
})

test('undeclared names may be new where records of one entity are on several levels or in several lists', async () => {
  await create({ items: [{ product: 'a' }] })
  const items = {
    update: [{ id: 1, parts: { create: [{ ...part('x'), color: 'red' }] } }],
    create: [{ product: 'b', parts: [part('y')] }],
  }
  expect((await change(1, { items })).status).toBe(200)
  const above = { name: 'above', type: 'integer', meta: to('Topic', 'id', 'topics') }
  await define({ name: 'Topic' }, [above])
  const side = (name: string, inverse: string) => ({
    ...{ name, type: 'integer', meta: to('Topic', 'id', inverse) },
  })
  await define({ name: 'Near', link: true }, [side('one', 'near'), side('other', 'nearTo')])
  const topic = { color: 'red', topics: [{ size: 1, topics: [{}] }] }
  expect((await create(topic, { name: 'Topic' })).status).toBe(201)
  expect((await create({ weight: 2, near: [1] }, { name: 'Topic' })).status).toBe(201)
  expect(await stored('topic', 'id', 'above')).toEqual([
    { id: 1, above: null },
    { id: 2, above: 1 },
    { id: 3, above: 2 },
    { id: 4, above: null },
  ])
})
