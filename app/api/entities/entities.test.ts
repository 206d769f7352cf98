import { beforeAll, expect, test } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET as columns } from './[entityName]/columns/route'
import { GET } from './route'

const deps = currentDeps()

beforeAll(async () => {
  await testDeps()
  const properties = [
    { name: 'code', type: 'string', label: 'Code', required: true, enum: ['a', 'b'] },
    { name: 'tags', type: 'array' },
  ]
  const schema = { label: 'Things', description: 'All things', properties }
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema }, [{ code: 'a', free: 1 }])
  await installTestEntity(deps, { entity: { name: 'Other', description: 'Free' } })
  await installTestEntity(deps, { entity: { name: 'Closed', permissions: { read: false } } })
})

test('GET /api/entities lists what is installed', async () => {
  const { status, body } = await call(deps, GET, { path: '/api/entities', as: 'VIEWER' })
  expect(status).toBe(200)
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Closed', 'Other', 'Thing'])
  expect(body.data[2]).toMatchObject({
    name: 'Thing',
    label: 'Things',
    description: 'All things',
    pluginId: 'test',
    engineSchema: 'Thing',
    open: true,
    keys: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }],
    fields: [{ name: 'id' }, { name: 'code', type: 'string' }, { name: 'tags', type: 'array' }],
    permissions: { read: true, write: true, update: true, delete: true },
  })
})

test('GET /api/entities counts records when asked to', async () => {
  const { body } = await call(deps, GET, { path: '/api/entities?counts=true', as: 'VIEWER' })
  expect(body.data.map(({ records }: { records: unknown }) => records)).toEqual([
    { value: 0, isEstimate: false },
    { value: 0, isEstimate: false },
    { value: 1, isEstimate: false },
  ])
  const refused = await call(deps, GET, { path: '/api/entities?count=true', as: 'VIEWER' })
  expect(refused.status).toBe(400)
})

test('GET /api/entities lists only what the caller may read', async () => {
  const listed = async (as: string, scopes?: string[]) => {
    const { body } = await call(deps, GET, { path: '/api/entities', as, scopes })
    return body.data.map(({ name }: { name: string }) => name)
  }
  expect(await listed('VIEWER', ['Thing:read'])).toEqual(['Thing'])
  expect(await listed('GUEST')).toEqual([])
  expect((await call(deps, GET, { path: '/api/entities' })).status).toBe(401)
})

const columnsOf = (entityName: string, as = 'ADMIN') =>
  call(deps, columns, { path: `/api/entities/${entityName}/columns`, params: { entityName }, as })

test('GET …/columns returns every field with its rules and operators', async () => {
  const { status, body } = await columnsOf('Thing', 'VIEWER')
  expect(status).toBe(200)
  const names = body.data.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['id', 'code', 'tags', 'free'])
  expect(body.data[0]).toMatchObject({ kind: 'integer', key: true, declared: true })
  expect(body.data[1]).toMatchObject({
    name: 'code',
    label: 'Code',
    type: 'string',
    kind: 'text',
    key: false,
    operators: expect.arrayContaining(['eq', 'ilike', 'between']),
    rules: { required: true, enum: ['a', 'b'] },
  })
  expect(body.data[2].operators).not.toContain('gt')
  expect(body.data[3]).toMatchObject({ name: 'free', kind: 'json', declared: false })
})

test('GET …/columns refuses what cannot be read', async () => {
  expect((await columnsOf('Nothing')).status).toBe(404)
  expect((await columnsOf('Closed')).status).toBe(403)
  expect((await columnsOf('Thing', 'GUEST')).status).toBe(403)
  expect((await columnsOf('EngineUsers', 'EDITOR')).status).toBe(403)
  expect((await columnsOf('EngineUsers')).status).toBe(200)
})
