import { expect, test } from 'vitest'
import { POST as CREATE, GET as READ } from '@/app/api/entities/[entityName]/route'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { type Files, install, upload } from '../../testing/plugin-api'
import { rollback, state, undoTwice } from '../../testing/rollbacks'
import { deps, installed } from '../../testing/versions'

const FROM = encodeURIComponent('https://staging.example.com')
const QUERY = `?mode=atomic&removed=delete&onConflict=fail&from=${FROM}`
const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
const reference = { entity: 'Customer', field: 'id' }
const definitions = {
  EngineEntities: {
    files: {
      'Customer.json': { name: 'Customer', pks, insertDuplicate: 'Upsert' },
      'Order.json': { name: 'Order', pks, insertDuplicate: 'Upsert' },
    },
  },
  EngineSchemas: {
    files: {
      'Customer.json': {
        name: 'Customer',
        properties: [
          { name: 'id', type: 'number' },
          { name: 'name', type: 'string' },
          { name: 'parent', type: 'number', reference },
        ],
      },
      'Order.json': {
        name: 'Order',
        properties: [
          { name: 'id', type: 'number' },
          { name: 'customer', type: 'number', reference },
        ],
      },
    },
  },
}

const shop = (customers: object[], orders: object[] = []): Files =>
  pluginFiles({
    ...definitions,
    Customer: { files: { 'data.json': customers } },
    Order: { files: { 'data.json': orders } },
  })

const create = (entity: string, body: object) =>
  call(deps, CREATE, {
    ...{ method: 'POST', path: `/api/entities/${entity}`, as: 'ADMIN' },
    ...{ params: { entityName: entity }, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json' },
  })

async function rowsOf(entity: string, fields: string): Promise<unknown[][]> {
  const path = `/api/entities/${entity}?sort=id:asc&fields=${fields}`
  const { body } = await call(deps, READ, { path, as: 'ADMIN', params: { entityName: entity } })
  return body.data.map((one: Record<string, unknown>) => fields.split(',').map((name) => one[name]))
}
const customers = () => rowsOf('Customer', 'id,name,parent')
const orders = () => rowsOf('Order', 'id,customer')

const [ann, bob] = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bob' },
]
const there = [ann, { ...bob, parent: 3 }, { id: 3, name: 'Cleo', parent: 2 }]

/** Ann came from there; Dan and Eve were made here under the numbers that Bob and Cleo have there. */
async function bothNumbered() {
  await installed(pluginFiles(definitions))
  await install(deps, shop([ann]), { query: QUERY })
  await create('Customer', { name: 'Dan' })
  await create('Customer', { name: 'Eve' })
}

const promote = async (files: Files) => {
  const { status, body } = await install(deps, files, { query: QUERY })
  expect([status, body.error]).toEqual([200, undefined])
  return body.data.history
}

/** What an install would do with records. */
async function changes(files: Files, query = QUERY) {
  const { body } = await upload(deps, files, { query: `${query}&dryRun=true` })
  const planned: { records: { created: number; updated: number } }[] = body.data.plan.files
  const sum = (kind: 'created' | 'updated') =>
    planned.reduce((total, { records }) => total + records[kind], 0)
  return { created: sum('created'), updated: sum('updated') }
}

test('records with numbers that others have here get their own, and what refers to them follows', async () => {
  await bothNumbered()
  const all = shop(there, [{ id: 1, customer: 2 }])
  expect(await changes(all)).toEqual({ created: 3, updated: 0 })
  await promote(all)
  expect(await customers()).toEqual([
    [1, 'Ann', null],
    [2, 'Dan', null],
    [3, 'Eve', null],
    [4, 'Bob', 5],
    [5, 'Cleo', 4],
  ])
  expect(await orders()).toEqual([[1, 4]])
  expect(await changes(all)).toEqual({ created: 0, updated: 0 })
})

test('later changes and deletions reach the records with other numbers', async () => {
  await bothNumbered()
  await promote(shop(there, [{ id: 1, customer: 2 }]))
  await promote(shop([ann, { ...bob, name: 'Rob', parent: null }], [{ id: 1, customer: 1 }]))
  expect(await customers()).toEqual([
    [1, 'Ann', null],
    [2, 'Dan', null],
    [3, 'Eve', null],
    [4, 'Rob', null],
  ])
  expect(await orders()).toEqual([[1, 1]])
  // The source counts on to a number that was given to another of its records here.
  await promote(shop([ann, bob, { id: 4, name: 'Fay' }], [{ id: 1, customer: 4 }]))
  expect((await customers()).slice(3)).toEqual([
    [4, 'Bob', null],
    [6, 'Fay', null],
  ])
  expect(await orders()).toEqual([[1, 6]])
})

test('a rollback takes the numbers back with the records, and can be taken back', async () => {
  await bothNumbered()
  await undoTwice(() => promote(shop(there, [{ id: 1, customer: 2 }])))
  const before = await state()
  expect(await changes(shop(there, [{ id: 1, customer: 2 }]))).toMatchObject({
    created: 0,
    updated: 0,
  })
  const id = await promote(shop([ann, bob, { id: 3, name: 'Cleo' }, { id: 9, name: 'Gus' }]))
  expect((await rollback(id)).status).toBe(200)
  expect(await state()).toEqual(before)
})

test('equal records under one number are one, and without the address of a server all are', async () => {
  await bothNumbered()
  await promote(shop([ann, { id: 2, name: 'Dan' }]))
  expect(await customers()).toHaveLength(3)
  const next = shop([ann, { id: 2, name: 'Dan' }, { id: 3, name: 'Cleo' }])
  const asVersion = '?mode=atomic&onConflict=fail'
  expect(await changes(next, asVersion)).toEqual({ created: 0, updated: 1 })
  expect(await changes(next)).toEqual({ created: 1, updated: 0 })
  const partial = await upload(deps, shop([ann]), { query: `?from=${FROM}` })
  expect([partial.status, partial.body.error]).toEqual([
    400,
    expect.stringContaining('mode=atomic'),
  ])
})

test('records that refer to each other in a circle are refused by name where they would need other numbers', async () => {
  const circle = (refers: boolean) => ({
    ...definitions,
    EngineSchemas: {
      files: {
        ...definitions.EngineSchemas.files,
        'Customer.json': {
          name: 'Customer',
          properties: [
            { name: 'id', type: 'number' },
            { name: 'name', type: 'string' },
            {
              name: 'last',
              type: 'number',
              ...(refers && { reference: { entity: 'Order', field: 'id' } }),
            },
          ],
        },
      },
    },
  })
  await installed(pluginFiles(circle(true)))
  await create('Order', {})
  await create('Customer', { name: 'Dan', last: 1 })
  const files = pluginFiles({
    ...circle(true),
    Customer: { files: { 'data.json': [{ id: 1, name: 'Ann', last: 1 }] } },
    Order: { files: { 'data.json': [{ id: 1, customer: 1 }] } },
  })
  const { body } = await upload(deps, files, { query: `${QUERY}&dryRun=true` })
  expect(JSON.stringify(body.data.plan.files)).toContain('they refer to each other')
})
