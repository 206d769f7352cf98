import { beforeAll, describe, expect, test } from 'vitest'
import { auditLog, installs, plugins } from '@/lib/db/schema'
import { SYSTEM_ENTITIES } from '@/lib/registry/system-entities'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET as READ } from './[entityName]/[id]/route'
import { GET as count } from './[entityName]/count/route'
import { GET } from './[entityName]/route'
import { POST } from './[entityName]/search/route'

const deps = currentDeps()

const installId = 7

beforeAll(async () => {
  await testDeps()
  const schema = { label: 'Things', properties: [{ name: 'code', type: 'string' }] }
  await installTestEntity(deps, { entity: { name: 'Thing', auditable: true }, schema })
  const plugin = { id: 'com.example.a', name: 'A', manifest: { id: 'com.example.a' } }
  await deps.db.insert(plugins).values({ ...plugin, lastHistoryId: installId })
  const times = {
    startedAt: new Date('2024-01-01T00:00:00Z'),
    completedAt: new Date('2024-01-01T00:00:01.500Z'),
  }
  const install = { id: installId, source: 'a.zip', sha256: '00', status: 'SUCCESS' as const }
  await deps.db.insert(installs).values({ ...install, pluginId: plugin.id, ...times })
  const entry = { actorType: 'system' as const, objectType: 'plugin', objectId: plugin.id }
  await deps.db.insert(auditLog).values({ ...entry, action: 'plugins.install', details: { n: 1 } })
})

const get = (entityName: string, query = '', as = 'ADMIN') =>
  call(deps, GET, { path: `/api/entities/${entityName}?${query}`, params: { entityName }, as })

describe.each([...SYSTEM_ENTITIES.values()])('$name', ({ name, fields, keys }) => {
  test('can be searched by every field, by URL and by body', async () => {
    const all = fields.map((field) => field.name)
    const filter = all.map((field) => `${field}:isnull`).join()
    const url = `fields=${all.join()}&sort=${all.slice(0, 16).join(':desc,')}&filter=${filter}`
    expect((await get(name, url)).body.data).toEqual([])
    const filters = all.map((field) => ({ field, operator: 'isnull' }))
    const query = [{ operator: 'or', filters: [...filters, { operator: 'not', filters }] }]
    const { status, body } = await call(deps, POST, {
      method: 'POST',
      path: `/api/entities/${name}/search`,
      params: { entityName: name },
      body: { query, sort: all.slice(0, 16).map((field) => ({ field, direction: -1 })) },
      as: 'ADMIN',
    })
    expect(status).toBe(200)
    const { total } = (await get(name, 'size=1')).body.pagination
    // Each call signs in with a user and a key of its own.
    const added = /^Engine(Users|ApiKeys)$/.test(name) ? 1 : 0
    expect(body.pagination.total).toBe(total - added)
  })

  test('is an administrator’s alone', async () => {
    expect((await get(name, '', 'EDITOR')).status).toBe(403)
    expect((await get(name, '', 'VIEWER')).status).toBe(403)
    const asked = { path: '/', params: { entityName: name } }
    expect((await call(deps, GET, { ...asked, as: 'ADMIN', scopes: ['*:*'] })).status).toBe(403)
    expect((await call(deps, count, { ...asked, as: 'ADMIN' })).status).toBe(200)
  })

  test('has its key among its fields', () => {
    expect(fields.map((field) => field.name)).toEqual(expect.arrayContaining(keys))
  })
})

test('every system entity exists', () => {
  expect([...SYSTEM_ENTITIES.keys()].sort()).toEqual([
    'EngineApiKeys',
    'EngineAuditLog',
    'EngineEmails',
    'EngineEntities',
    'EngineFiles',
    'EnginePluginHistory',
    'EnginePlugins',
    'EnginePolicies',
    'EngineRecordVersions',
    'EngineRoles',
    'EngineSchemas',
    'EngineUsers',
  ])
})

test('nothing secret can be seen, filtered or sorted by', async () => {
  const secret = /hash|token|session|body|storage/i
  for (const { name, fields } of SYSTEM_ENTITIES.values())
    expect(
      fields.filter((field) => secret.test(field.name + field.column)),
      name,
    ).toEqual([])
  for (const field of ['passwordHash', 'password_hash', 'hash']) {
    expect((await get('EngineUsers', `filter=${field}:notnull`)).status).toBe(400)
    expect((await get('EngineUsers', `sort=${field}`)).status).toBe(400)
    expect((await get('EngineUsers', `fields=${field}`)).status).toBe(400)
  }
  const { text } = await get('EngineApiKeys', 'size=1000')
  expect(text).not.toMatch(/"hash"|eng_[\w-]{20}/)
})

test('their records read as the API shows them elsewhere', async () => {
  const first = async (name: string, query = '') => (await get(name, query)).body.data[0]
  expect(await first('EngineEntities')).toMatchObject({
    name: 'Thing',
    pluginId: 'test',
    dbSchema: 'entities',
    dbTable: 'thing',
    auditable: true,
    permissions: { read: true },
    pks: [{ key: 'id' }],
    persistenceId: 'Thing',
  })
  expect(await first('EngineSchemas')).toMatchObject({ name: 'Thing', label: 'Things' })
  expect(await first('EnginePlugins')).not.toHaveProperty('manifest')
  expect(await first('EnginePlugins', 'fields=manifest,id')).toEqual({
    manifest: { id: 'com.example.a' },
    id: 'com.example.a',
  })
  expect(await first('EnginePluginHistory', 'filter=durationMs:gte:1500')).toMatchObject({
    ...{ id: installId, persistenceId: String(installId), status: 'SUCCESS', durationMs: 1500 },
    startedAt: '2024-01-01T00:00:00.000Z',
  })
  expect(await first('EngineAuditLog', 'filter=details.n:eq:1')).toMatchObject({
    action: 'plugins.install',
    details: { n: 1 },
  })
  const users = await get('EngineUsers', 'filter=roles:icontains:admin,status:eq:ACTIVATED')
  expect(users.body.data[0]).toMatchObject({ roles: ['ADMIN'], profile: {}, status: 'ACTIVATED' })
  expect(users.body.data[0].persistenceId).toBe(users.body.data[0].userId)
})

test('an unknown one is named with the nearest', async () => {
  const { status, body } = await get('EngineUser')
  expect(status).toBe(404)
  expect(body.error).toContain('"EngineUsers"')
})

test('a record has one id: other spellings of its number identify no record', async () => {
  const status = async (entityName: string, id: string) =>
    (await call(deps, READ, { path: '/', params: { entityName, id }, as: 'ADMIN' })).status
  const ids = ['7', '07', '+7', '7.0', ' 7', '7e0', '-7', '0x7']
  expect(await Promise.all(ids.map((id) => status('EnginePluginHistory', id)))).toEqual([
    200,
    ...Array(7).fill(404),
  ])
})
