import { beforeAll, expect, test } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET, POST } from './route'

const deps = currentDeps()

beforeAll(async () => {
  await testDeps()
  const schema = { properties: [{ name: 'age', type: 'integer' }] }
  const records = [{ age: 1 }, { age: 2 }, { age: 3 }]
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema }, records)
})

const params = { entityName: 'Thing' }
const path = '/api/entities/Thing/count'
const byUrl = (query: string, as = 'VIEWER') =>
  call(deps, GET, { path: `${path}?${query}`, params, as })
const byBody = (body: unknown) =>
  call(deps, POST, { method: 'POST', path, params, body, as: 'VIEWER' })

test('counts all records, and those that match', async () => {
  expect((await byUrl('')).body).toMatchObject({ code: 200, data: [{ count: 3 }] })
  expect((await byUrl('filter=age:gt:1')).body.data).toEqual([{ count: 2 }])
  expect((await byBody({})).body.data).toEqual([{ count: 3 }])
  const query = [{ field: 'age', operator: 'gt', value: 1 }]
  expect((await byBody({ entity: 'Thing', query })).body.data).toEqual([{ count: 2 }])
  expect((await byBody({ filters: query })).body.data).toEqual([{ count: 2 }])
})

test.each([
  ['an unknown parameter', 'size=1', 400],
  ['an unknown field', 'filter=agee:gt:1', 400],
  ['stray text', 'filter=age', 400],
])('refuses %s', async (_, query, status) => {
  expect((await byUrl(query)).status).toBe(status)
})

test.each([
  ['an unknown property', { size: 1 }],
  ['another entity', { entity: 'Other' }],
  ['a bad value', { query: [{ field: 'age', operator: 'gt', value: 'x' }] }],
])('refuses a body with %s', async (_, body) => {
  expect((await byBody(body)).status).toBe(400)
})

test('refuses strangers', async () => {
  expect((await byUrl('', 'GUEST')).status).toBe(403)
  expect((await call(deps, GET, { path, params })).status).toBe(401)
})
