import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { PATCH, GET as READ } from '@/app/api/entities/[entityName]/[id]/route'
import { POST as CREATE, GET as LIST } from '@/app/api/entities/[entityName]/route'
import { users } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { createPolicy } from './testing/policies-api'

const deps = freshDeps()

/** The recipes of docs/rights.md, as they stand there. */
const RECIPES = [...readFileSync('docs/rights.md', 'utf8').matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = '']) => JSON.parse(text) as JsonObject,
)

const [clerks, websiteBranches, websiteProducts, notes, guests, sales] = RECIPES

const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
const declared = (types: Record<string, string>) => ({
  additionalProperties: false,
  properties: Object.entries(types).map(([name, type]) => ({ name, type })),
})

beforeEach(async () => {
  const install = (name: string, types: Record<string, string>, records: object[]) =>
    installTestEntity(deps, { entity: { name, pks }, schema: declared(types) }, records)
  await install('Branch', { region: 'string' }, [{ id: 1, region: 'north' }])
  await install('Order', { branch: 'string', total: 'integer', margin: 'integer' }, [
    { id: 1, branch: 'N1', total: 10, margin: 1 },
    { id: 2, branch: 'S1', total: 20, margin: 2 },
  ])
  await install(
    'Product',
    { name: 'string', price: 'integer', purchasePrice: 'integer', published: 'boolean' },
    [
      { id: 1, name: 'Lamp', price: 9, purchasePrice: 4, published: true },
      { id: 2, name: 'Rug', price: 90, purchasePrice: 40, published: false },
    ],
  )
  await install('Note', { text: 'string', ownerId: 'string' }, [{ id: 1, text: 'b', ownerId: 'x' }])
})

async function make(...recipes: (JsonObject | undefined)[]) {
  for (const recipe of recipes) expect((await createPolicy(recipe)).status).toBe(201)
}

const holder = async (...roles: string[]) => ({ 'x-engine-apikey': await testKey(deps, roles) })

type Headers = Record<string, string>

const list = (entityName: string, headers: Headers) =>
  call(deps, LIST, { path: `/api/entities/${entityName}`, params: { entityName }, headers })

const write = (entityName: string, body: object, headers: Headers, id?: string) =>
  call(deps, id ? PATCH : CREATE, {
    ...{ method: id ? 'PATCH' : 'POST', body, headers },
    path: `/api/entities/${entityName}${id ? `/${id}` : ''}`,
    params: { entityName, ...(id ? { id } : {}) },
  })

test('there are six policies in five recipes', () => expect(RECIPES).toHaveLength(6))

test('the clerk of a branch', async () => {
  await make(clerks)
  const headers = await holder('Clerk')
  await deps.db.update(users).set({ profile: { branch: 'N1' } })
  const shown = { id: 1, persistenceId: '1', branch: 'N1', total: 10 }
  expect((await list('Order', headers)).body.data).toEqual([shown])
  const created = await write('Order', { id: 3, branch: 'S1', total: 5 }, headers)
  expect([created.status, created.body.data?.[0].branch]).toEqual([201, 'N1'])
  expect((await write('Order', { total: 6 }, headers, '2')).status).toBe(404)
  expect((await write('Order', { margin: 6 }, headers, '1')).status).toBe(400)
})

test('a key that reads two entities, one of them without a column', async () => {
  await make(websiteBranches, websiteProducts)
  const headers = await holder('Website')
  expect((await list('Branch', headers)).body.data).toHaveLength(1)
  const { text, body } = await list('Product', headers)
  expect([body.data.length, /purchasePrice/.test(text)]).toEqual([2, false])
  expect((await list('Order', headers)).status).toBe(403)
})

test("everybody's own records", async () => {
  await make(notes)
  const headers = await holder('Clerk')
  expect((await list('Note', headers)).body.data).toEqual([])
  expect((await write('Note', { id: 2, text: 'a', ownerId: 'x' }, headers)).status).toBe(201)
  const [mine] = (await list('Note', headers)).body.data
  expect(mine).toMatchObject({
    id: 2,
    text: 'a',
    ownerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  const changed = await write('Note', { ownerId: 'x' }, headers, '2')
  expect([changed.status, changed.body.data?.[0].ownerId]).toEqual([200, mine.ownerId])
})

test('guests read a catalogue', async () => {
  await make(guests)
  Object.assign(deps.settings, { ANONYMOUS_ACCESS: true })
  const { body } = await list('Product', {})
  expect(body.data).toEqual([{ id: 1, persistenceId: '1', name: 'Lamp', price: 9 }])
  const hidden = { path: '/api/entities/Product/2', params: { entityName: 'Product', id: '2' } }
  expect((await call(deps, READ, hidden)).status).toBe(404)
})

test('a field of what a plugin allows', async () => {
  const allowing = { principals: ['Sales'], entities: ['Product'], actions: ['read'] }
  await make({ ...allowing, name: 'The plugin allows all' }, sales)
  const { text, body } = await list('Product', await holder('Sales'))
  expect([body.data.length, /purchasePrice/.test(text)]).toEqual([2, false])
})
