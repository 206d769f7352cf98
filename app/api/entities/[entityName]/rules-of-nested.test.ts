import { test as always, expect } from 'vitest'
import { testsOnCitus } from '@/lib/testing/deps'
import type { JsonObject } from '@/lib/values/json'
import {
  allow,
  change,
  changeMany,
  create,
  define,
  defineItems,
  keyFor,
  numbers,
  stored,
  to,
} from './testing/orders'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const OF_ORDERS = ['Order:read', 'Order:write', 'Order:update']
const PEN = { product: 'Pen' }

test('children need the rights of writing them alone', async () => {
  const none = await keyFor(['EDITOR'], OF_ORDERS)
  const refused = await create({ items: [PEN] }, { as: none })
  expect([refused.status, refused.body.validations]).toMatchObject([403, [{ field: '/items' }]])
  expect((await create({ items: [] }, { as: none })).status).toBe(201)
  const writer = await keyFor(['EDITOR'], [...OF_ORDERS, 'Item:write'])
  expect((await create({ items: [PEN] }, { as: writer })).status).toBe(201)
  for (const items of [{ update: [{ id: 1 }] }, { delete: [1] }])
    expect((await change(2, { items }, { as: writer })).status).toBe(403)
  const blind = await keyFor(['EDITOR'], [...OF_ORDERS, 'Item:update', 'Item:delete'])
  for (const items of [{ update: [{ id: 1 }] }, { delete: [1] }]) {
    const { status, body } = await change(2, { items }, { as: blind })
    expect([status, body.error]).toEqual([403, expect.stringContaining('you need to read')])
  }
  const changer = await keyFor(['EDITOR'], [...OF_ORDERS, 'Item:read', 'Item:update'])
  const update = [{ id: 1, product: 'Ink' }]
  expect((await change(2, { items: { update } }, { as: changer })).status).toBe(200)
  expect((await change(2, { items: { create: [PEN] } }, { as: changer })).status).toBe(403)
  expect(await stored('item', 'product')).toEqual([{ product: 'Ink' }])
})

test('a definition that forbids deletion holds for children, and so do references to them', async () => {
  await create({ items: [{ ...PEN, parts: [{ code: 'x', rank: 1 }] }] })
  const referred = await change(1, { title: 'T', items: { delete: [1] } })
  expect([referred.status, referred.body.meta.blockedBy]).toMatchObject([409, [{ entity: 'Part' }]])
  expect(referred.body.validations).toMatchObject([{ field: '/items' }])
  await defineItems({ permissions: { read: true, write: true, update: true, delete: false } })
  const forbidden = await change(1, { title: 'T', items: { delete: [1] } })
  expect([forbidden.status, forbidden.body.error]).toEqual([
    403,
    expect.stringContaining('forbids deletion'),
  ])
  expect(await stored('order', 'id', 'title')).toEqual([{ id: 1, title: null }])
  expect(await numbers()).toEqual([1, 1, 1])
})

test('policies say which children are found, and what they may become', async () => {
  await create({ items: [PEN, { product: 'Hidden' }, { product: 'Kept' }] })
  await create({ items: [PEN] })
  await allow('Order', ['read', 'write', 'update'])
  await allow('Item', ['read'], { where: [{ field: 'product', operator: 'ne', value: 'Hidden' }] })
  const where = [{ field: 'product', operator: 'in', value: ['Pen', 'Ink'] }]
  await allow('Item', ['write', 'update', 'delete'], { where })
  const as = await keyFor(['Clerk'])
  const told = async (items: JsonObject) => {
    const { status, body } = await change(1, { title: 'T', items }, { as })
    return [status, body.error.replace(/ \d+/, ' N')]
  }
  for (const name of ['update', 'delete'] as const) {
    const of = (id: number) => told({ [name]: [name === 'update' ? { id, amount: 1 } : id] })
    const hidden = await of(2)
    expect(hidden).toEqual(await of(4))
    expect(hidden).toEqual(await of(99))
    expect((await of(3))[0]).toBe(403)
  }
  for (const items of [{ create: [{ product: 'Pad' }] }, { update: [{ id: 1, product: 'Pad' }] }]) {
    const { status, body } = await change(1, { items }, { as })
    expect([status, body.validations]).toMatchObject([403, [{ field: '/items' }]])
  }
  expect(await stored('order', 'id', 'title')).toMatchObject([{ title: null }, { title: null }])
  const items = { create: [{ product: 'Ink' }], update: [{ id: 1, amount: 2 }] }
  expect((await changeMany([{ id: 1, items }], as)).status).toBe(200)
  expect((await change(1, { items: { delete: [1] } }, { as })).status).toBe(200)
  const products = (await stored('item', 'product')).map(({ product }) => product)
  expect(products).toEqual(['Hidden', 'Ink', 'Kept', 'Pen'])
})

test('fields of children that may not be written are named by pointer, hidden ones are unknown', async () => {
  await create({ items: [PEN] })
  await allow('Order', ['read', 'write', 'update'])
  await allow('Item', ['read'], { fields: { except: ['price', 'worth'] } })
  await allow('Item', ['write', 'update'], { fields: { except: ['price', 'amount', 'worth'] } })
  const as = await keyFor(['Clerk'])
  for (const [field, status] of [
    ['amount', 403],
    ['price', 400],
  ] as const) {
    const created = await create({ items: [PEN, { ...PEN, [field]: 1 }] }, { as })
    expect([created.status, created.body.validations]).toMatchObject([
      status,
      [{ field: `/items/1/${field}` }],
    ])
    const changed = await change(1, { items: { update: [{ id: 1, [field]: 1 }] } }, { as })
    expect([changed.status, changed.body.validations]).toMatchObject([
      status,
      [{ field: `/items/update/0/${field}` }],
    ])
  }
  expect((await create({ items: [PEN] }, { as })).status).toBe(201)
})

test('policies give children their values, but not to another record', async () => {
  await allow('Order', ['read', 'write'])
  await allow('Item', ['read'])
  await allow('Item', ['write'], { set: { amount: 7 } })
  const as = await keyFor(['Clerk'])
  expect((await create({ items: [PEN] }, { as })).status).toBe(201)
  expect(await stored('item', 'id', 'amount')).toEqual([{ id: 1, amount: 7 }])
  await allow('Item', ['write'], { set: { order: 1 } })
  const { status, body } = await create({ items: [PEN] }, { as })
  expect([status, body.validations]).toMatchObject([403, [{ field: '/items' }]])
  expect(await numbers()).toEqual([1, 1, 0])
})

test('a child does not show what its writer may not read of the record', async () => {
  await define(
    { name: 'Person', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] },
    [{ name: 'code', type: 'string', meta: { unique: true } }],
    [{ id: 1, code: 'secret' }, { id: 2 }],
  )
  await define({ name: 'Claim', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] }, [
    { name: 'person', type: 'string', meta: to('Person', 'code', 'claims') },
  ])
  const claims = { create: [{ id: 1 }] }
  await allow('Person', ['read', 'update'], { fields: { except: ['code'] } })
  await allow('Claim', ['read', 'write'])
  const as = await keyFor(['Clerk'])
  expect((await change(1, { claims }, { name: 'Person', as })).status).toBe(403)
  const empty = await change(2, { claims }, { name: 'Person' })
  expect([empty.status, empty.body.validations]).toMatchObject([400, [{ field: '/claims' }]])
  expect((await change(1, { claims }, { name: 'Person' })).status).toBe(200)
  expect(await stored('claim', 'id', 'person')).toEqual([{ id: 1, person: 'secret' }])
})

test('nor what a new record has that is hidden as a whole', async () => {
  const fixed = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  await define({ name: 'Person', pks: fixed }, [
    { name: 'code', type: 'string', meta: { unique: true, default: 'secret' } },
    { name: 'open', type: 'boolean' },
  ])
  await define({ name: 'Claim', pks: fixed }, [
    { name: 'person', type: 'string', meta: to('Person', 'code', 'claims') },
  ])
  await allow('Person', ['read'], { where: [{ field: 'open', operator: 'eq', value: true }] })
  await allow('Person', ['write'])
  await allow('Claim', ['read', 'write'])
  const as = await keyFor(['Clerk'])
  const asked = (open: boolean) =>
    create({ id: 1, open, claims: [{ id: 1 }] }, { name: 'Person', as })
  const { status, body } = await asked(false)
  expect([status, body.validations]).toMatchObject([403, [{ field: '/claims' }]])
  expect(await stored('person', 'id')).toEqual([])
  expect((await asked(true)).status).toBe(201)
})

test('nor does a link show it of either side', async () => {
  const fixed = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  const code = { name: 'code', type: 'string', meta: { unique: true } }
  const open = { name: 'open', type: 'boolean' }
  const records = [
    { id: 1, code: 'x', open: true },
    { id: 2, code: 'secret', open: false },
  ]
  for (const name of ['Person', 'Team']) await define({ name, pks: fixed }, [code, open], records)
  await define({ name: 'Member', link: true }, [
    { name: 'person', type: 'string', meta: to('Person', 'code', 'teams') },
    { name: 'team', type: 'string', meta: to('Team', 'code', 'people') },
  ])
  const where = [{ field: 'open', operator: 'eq', value: true }]
  const fields = { except: ['code'] }
  await allow('Person', ['read', 'update'])
  await allow('Team', ['read'], { fields })
  await allow('Team', ['update'])
  await allow('Member', ['read', 'write'])
  const as = await keyFor(['Clerk'])
  const asked = async (name: string, list: string) => {
    const { status, body } = await change(1, { [list]: [1] }, { name, as })
    return [status, body.error]
  }
  const refused = [403, expect.stringContaining('you need to read')]
  for (const [name, list] of Object.entries({ Person: 'teams', Team: 'people' }))
    expect(await asked(name, list)).toEqual(refused)
  await allow('Team', ['read'], { fields: ['code'], where })
  expect(await asked('Person', 'teams')).toEqual(refused)
  await allow('Team', ['read'])
  expect(await asked('Person', 'teams')).toEqual([200, undefined])
  expect(await stored('member', 'person', 'team')).toEqual([{ person: 'x', team: 'x' }])
})
