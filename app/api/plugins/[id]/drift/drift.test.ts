import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import { upload } from '../../testing/plugin-api'
import { deps, installed, integer, search, text, version } from '../../testing/versions'
import { POST } from './resolve/route'
import { GET } from './route'

const properties = [text('name'), integer('price')]
const records = [
  { id: 1, name: 'Cup', price: 3, color: 'red' },
  { id: 2, name: 'Dish', price: 5 },
  { id: 10, name: 'Fork', price: 1 },
]
const PLUGIN = 'com.example.shop'

const drift = (query = '', as: string | string[] = 'ADMIN') =>
  call(deps, GET, { path: `/api/plugins/${PLUGIN}/drift${query}`, params: { id: PLUGIN }, as })

const resolve = (action: string, keys: string[], as: string | string[] = 'ADMIN') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/${PLUGIN}/drift/resolve`,
    params: { id: PLUGIN },
    body: { entity: 'Thing', keys, action },
    as,
  })

beforeEach(async () => {
  await installed(version({ properties, records }))
  await deps.db.execute(
    sql`update entities.thing set price = 9, "$extra" = '{"color": "blue", "mine": true}' where id = 1`,
  )
  await deps.db.execute(sql`delete from entities.thing where id = 2`)
  await deps.db.execute(sql`insert into entities.thing (id, name) values (11, 'Own')`)
})

const EDITED = {
  entity: 'Thing',
  key: '1',
  change: 'edited',
  fields: [
    { field: 'price', base: 3, ours: 9 },
    { field: 'color', base: 'red', ours: 'blue' },
    { field: 'mine', base: null, ours: true },
  ],
}
const DELETED = { entity: 'Thing', key: '2', change: 'deleted', fields: [] }
const ADDED = { entity: 'Thing', key: '11', change: 'added', fields: [] }

test('lists what was added, edited and deleted since the plugin gave it', async () => {
  const { status, body } = await drift()
  expect(status).toBe(200)
  expect(body.data).toEqual([EDITED, DELETED, ADDED])
  expect(body.pagination).toMatchObject({ total: 3, pages: 1 })
  expect((await drift('?change=added')).body.data).toEqual([ADDED])
  expect((await drift('?change=edited&entity=Thing')).body.data).toEqual([EDITED])
  const page = await drift('?size=1&page=1')
  expect([page.body.data, page.body.pagination.total]).toEqual([[DELETED], 3])
  expect((await drift('?entity=Nothing')).status).toBe(404)
})

test('shows nothing of entities that the caller may not read', async () => {
  expect((await drift('', 'OTHER')).status).toBe(403)
  await deps.db.execute(
    sql`update engine.entities set definition = jsonb_set(definition, '{permissions,read}', 'false')`,
  )
  const { findEntity, registryChanged } = await import('@/lib/registry/registry')
  await registryChanged(deps)
  await findEntity(deps, 'Thing')
  expect((await drift()).body.data).toEqual([])
  expect((await drift('?entity=Thing')).status).toBe(403)
})

test('adopted records count as given', async () => {
  const { body } = await resolve('adopt', ['1', '2', '10', '11', 'no'])
  expect(body.data).toEqual([{ resolved: 3 }])
  expect((await drift()).body.data).toEqual([])
  await deps.db.execute(sql`update entities.thing set name = 'Mug' where id = 11`)
  expect((await drift()).body.data).toMatchObject([{ key: '11', change: 'edited' }])
})

test('reverted records are as the plugin gave them', async () => {
  expect((await resolve('revert', ['1', '2'])).body.data).toEqual([{ resolved: 2 }])
  expect(await search()).toEqual([
    ...records.map((record) => ({ ...record })),
    { id: 11, name: 'Own', price: null },
  ])
  expect((await resolve('revert', ['11'])).body.data).toEqual([{ resolved: 1 }])
  expect(await search({ fields: ['id'] })).toHaveLength(3)
  expect((await drift()).body.pagination.total).toBe(0)
})

test('a column added since is no difference', async () => {
  await installed(version({ properties: [...properties, integer('stock', { default: 4 })] }))
  expect((await drift('?change=edited')).body.data).toEqual([EDITED])
})

test('records that refuse the plugin’s values stay as they are', async () => {
  await deps.db.execute(sql`create unique index on entities.thing (name)`)
  await deps.db.execute(sql`update entities.thing set name = 'Dish' where id = 11`)
  const before = await search()
  expect((await resolve('revert', ['1', '2'])).status).toBe(409)
  expect(await search()).toEqual(before)
  expect((await resolve('revert', ['1'], 'VIEWER')).status).toBe(403)
})

test('a plan that was made before records were resolved does not hold', async () => {
  const next = version({ properties, records: [{ id: 1, name: 'Mug', price: 4 }] })
  const { body } = await upload(deps, next, { query: '?dryRun=true' })
  await resolve('adopt', ['1'])
  const { status } = await upload(deps, next, { query: `?seal=${body.data.plan.seal}` })
  expect(status).toBe(409)
})
