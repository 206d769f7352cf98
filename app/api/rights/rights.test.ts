import { beforeEach, describe, expect, test } from 'vitest'
import { RECORD_ACTIONS } from '@/lib/auth/rights'
import { users } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import type { EntityRights, RightsOfRoles } from '@/lib/policies/contract'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { DELETE, PATCH } from '../entities/[entityName]/[id]/route'
import { GET as READ, POST as WRITE } from '../entities/[entityName]/route'
import { POST as INSTALL } from '../plugins/install/zip/route'
import { GET as OF_USER } from '../users/[userId]/rights/route'
import { GET as RIGHTS } from './route'

const deps = freshDeps()

const policy = (name: string, part: object) => ({
  name,
  principals: ['Clerk'],
  entities: ['Note'],
  actions: ['read'],
  ...part,
})

const POLICIES = [
  policy('Clerks read notes', {}),
  policy('Nobody deletes notes', { principals: ['*'], actions: ['delete'], allow: false }),
  policy('Everybody reads books', { principals: ['*'], entities: ['Book'] }),
  policy('Guests change nothing', { principals: ['Guest'], actions: ['*'], allow: false }),
]
const ENTITIES = [
  { name: 'Note' },
  { name: 'Book', permissions: { write: false } },
  { name: 'Page' },
]

beforeEach(async () => {
  const files = pluginFiles({
    EngineEntities: { files: { 'entities.json': ENTITIES } },
    EngineRoles: { files: { 'roles.json': [{ name: 'Clerk', label: 'Clerks' }] } },
    EnginePolicies: { files: { 'policies.json': POLICIES } },
  })
  const body = uploadOf(await archiveOf(files))
  const path = '/api/plugins/install/zip'
  const { body: report } = await call(deps, INSTALL, { method: 'POST', path, body, as: 'ADMIN' })
  expect(report.data.failedCount).toBe(0)
})

const matrix = async (query = '') =>
  (await call(deps, RIGHTS, { path: `/api/rights${query}`, as: 'ADMIN' })).body as {
    data: RightsOfRoles[]
    meta: { roles: { name: string }[]; roleCount: number; policies: { name: string }[] }
    pagination: { total: number }
  }

async function ofUser(roles: string[], query = '') {
  const values = {
    email: `${crypto.randomUUID()}@example.com`,
    roles,
    status: 'ACTIVATED' as const,
  }
  const [user] = await deps.db.insert(users).values(values).returning()
  const userId = user?.id ?? ''
  const path = `/api/users/${userId}/rights${query}`
  return call(deps, OF_USER, { path, params: { userId }, as: 'ADMIN' })
}

const REQUESTS: Record<(typeof RECORD_ACTIONS)[number], [Handler, string, unknown?]> = {
  read: [READ, 'GET'],
  write: [WRITE, 'POST', {}],
  update: [PATCH, 'PATCH', {}],
  delete: [DELETE, 'DELETE'],
}

/** Whether the server lets callers with these roles do it. */
async function isLetIn(as: string[], entity: string, action: (typeof RECORD_ACTIONS)[number]) {
  const [handler, method, body] = REQUESTS[action]
  const one = action === 'update' || action === 'delete'
  const path = `/api/entities/${entity}${one ? '/1' : ''}`
  const params = { entityName: entity, ...(one ? { id: '1' } : {}) }
  return (await call(deps, handler, { method, path, params, as, body })).status !== 403
}

describe('the rights of roles', () => {
  test('are those that requests are let in by', async () => {
    const { data, meta } = await matrix()
    expect(meta.roles.map(({ name }) => name)).toEqual([
      'ADMIN',
      'EDITOR',
      'VIEWER',
      'ANONYMOUS',
      'Clerk',
      'Guest',
    ])
    for (const { entity, roles } of data)
      for (const [at, rights] of roles.entries())
        for (const action of RECORD_ACTIONS) {
          const role = meta.roles[at]?.name ?? ''
          const said = `${role} ${action} ${entity} ${rights[action].allowed}`
          expect(`${role} ${action} ${entity} ${await isLetIn([role], entity, action)}`).toBe(said)
        }
  })

  test('name what decides: a built-in role, policies, or the definition', async () => {
    const { data, meta } = await matrix('?entity=O&role=clerk')
    expect(data.map(({ entity }) => entity)).toEqual(['Book', 'Note'])
    const [book, note] = data.map(({ roles }) => roles[0])
    const by = (...policies: string[]) => ({
      ...{ closed: false, limited: false, role: null },
      policies,
    })
    expect(note?.read).toEqual({ allowed: true, ...by('Clerks read notes') })
    expect(note?.delete).toEqual({ allowed: false, ...by('Nobody deletes notes') })
    expect(note?.update).toEqual({ allowed: false, ...by() })
    expect(book?.write).toEqual({ allowed: false, ...by(), closed: true })
    expect(meta.policies).toContainEqual({
      name: 'Clerks read notes',
      pluginId: 'com.example.shop',
      allow: true,
      entities: ['Note'],
      actions: ['read'],
    })
    const [page] = (await matrix('?entity=page&role=EDITOR')).data
    expect(page?.roles[0]?.write).toMatchObject({ allowed: true, role: 'EDITOR', policies: [] })
  })

  test('come in pages of entities and of roles', async () => {
    const { data, meta, pagination } = await matrix('?page=1&size=2&rolePage=1&roleSize=2')
    expect(data.map(({ entity, roles }) => [entity, roles.length])).toEqual([['Page', 2]])
    expect(meta.roles.map(({ name }) => name)).toEqual(['VIEWER', 'ANONYMOUS'])
    expect([pagination.total, meta.roleCount]).toEqual([3, 6])
    const refused = await call(deps, RIGHTS, { path: '/api/rights?roleSize=51', as: 'ADMIN' })
    expect(refused.status).toBe(400)
  })
})

describe('the rights of a user', () => {
  test('are those of all the roles together, as requests are let in by', async () => {
    const roles = ['editor', 'Guest']
    const { data, meta } = (await ofUser(roles)).body
    for (const rights of data as EntityRights[])
      for (const action of RECORD_ACTIONS)
        expect([rights.entity, action, await isLetIn(roles, rights.entity, action)]).toEqual([
          rights.entity,
          action,
          rights[action].allowed,
        ])
    expect(meta).toMatchObject({
      status: 'ACTIVATED',
      roles: [{ name: 'EDITOR' }, { name: 'Guest' }],
    })
    expect(meta.permissions).toContainEqual({ permission: 'images:upload', role: 'EDITOR' })
    expect(meta.permissions).toContainEqual({ permission: 'users:manage', role: null })
    const [note] = (data as EntityRights[]).filter(({ entity }) => entity === 'Note')
    expect(note?.delete.policies).toEqual(['Guests change nothing', 'Nobody deletes notes'])
  })

  test('of an unknown user are not found', async () => {
    const userId = crypto.randomUUID()
    const path = `/api/users/${userId}/rights`
    expect((await call(deps, OF_USER, { path, params: { userId }, as: 'ADMIN' })).status).toBe(404)
  })
})
