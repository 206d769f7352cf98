import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { apiKeys, auditLog, policies, users } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as things from '../entities/[entityName]/route'
import * as search from '../entities/[entityName]/search/route'
import * as me from '../users/me/route'
import * as accounts from '../users/route'
import * as views from '../views/route'
import * as rotate from './[id]/rotate/route'
import * as one from './[id]/route'
import * as keys from './route'

const deps = freshDeps()

beforeEach(async () => {
  const schema = { properties: [{ name: 'title', type: 'string' }] }
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema }, [{ title: 'one' }])
  await allow('Clerk', ['read'])
})

const allow = (role: string, actions: string[]) =>
  deps.db.insert(policies).values({
    ...{ name: `${role} may`, actions, allow: true, principals: [role.toLowerCase()] },
    ...{ entities: ['thing'], priority: 0, definition: { name: `${role} may` } as never },
  })

type Maker = { as?: string; scopes?: string[]; headers?: Record<string, string> }
const create = (body: object, maker: Maker = { as: 'ADMIN' }) =>
  call(deps, keys.POST, {
    ...{ method: 'POST', path: '/api/api-keys', body: { name: 'Website', ...body }, ...maker },
  })
const made = async (body: object, maker?: Maker) => {
  const key = (await create(body, maker)).body.data[0]
  return { ...key, headers: { authorization: `Bearer ${key.apiKey}` } }
}
type Headers = Record<string, string>
const params = { entityName: 'Thing' }
const read = (headers: Headers) =>
  call(deps, things.GET, { path: '/api/entities/Thing', params, headers })
const write = (headers: Headers, method = 'POST') =>
  call(deps, things.POST, {
    ...{ method, path: '/api/entities/Thing', params, headers, body: { title: 'two' } },
  })
const act = (handler: typeof rotate.POST, method: string, id: string, maker: Maker) =>
  call(deps, handler, { method, path: `/api/api-keys/${id}`, params: { id }, ...maker })

describe('a key with roles of its own', () => {
  test('has the rights of these roles and no more', async () => {
    const { headers, ...key } = await made({ roles: ['clerk'] })
    expect(key).toMatchObject({ roles: ['clerk'], scopes: null, ownerId: null, status: 'ACTIVE' })
    expect((await read(headers)).body.data).toMatchObject([{ title: 'one' }])
    expect((await write(headers)).status).toBe(403)
    expect((await call(deps, accounts.GET, { path: '/api/users', headers })).status).toBe(403)
    const shown = (await act(one.GET, 'GET', key.id, { as: 'ADMIN' })).body.data[0]
    expect(shown).toMatchObject({ roles: ['clerk'], ownerId: null })
    const path = '/api/api-keys?filter=name:eq:Website'
    const listed = await call(deps, keys.GET, { path, as: 'ADMIN' })
    expect(listed.body.data).toMatchObject([{ roles: ['clerk'], ownerId: null, owner: null }])
  })

  test('is narrowed by scopes', async () => {
    const { headers } = await made({ roles: ['EDITOR'], scopes: ['Thing:write'] })
    expect((await read(headers)).status).toBe(403)
    expect((await write(headers)).status).toBe(201)
  })

  test('survives the account that made it, whatever becomes of it', async () => {
    const maker = { headers: { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` } }
    const { headers } = await made({ roles: ['Clerk'] }, maker)
    await deps.db.update(users).set({ roles: ['VIEWER'] })
    expect((await read(headers)).status).toBe(200)
    await deps.db.update(users).set({ status: 'DISABLED' })
    expect((await read(headers)).status).toBe(200)
    await deps.db.delete(users)
    expect((await read(headers)).status).toBe(200)
    expect((await write(headers)).status).toBe(403)
  })

  test('follows its roles and their policies at once', async () => {
    const { id, headers } = await made({ roles: ['Clerk'] })
    expect((await write(headers)).status).toBe(403)
    await allow('Writer', ['write'])
    expect((await write(headers)).status).toBe(403)
    await deps.db
      .update(apiKeys)
      .set({ roles: ['Clerk', 'Writer'] })
      .where(eq(apiKeys.id, id))
    expect((await write(headers)).status).toBe(201)
    await deps.db.delete(policies).where(eq(policies.name, 'Writer may'))
    expect((await write(headers)).status).toBe(403)
    await deps.db.update(apiKeys).set({ roles: [] }).where(eq(apiKeys.id, id))
    expect((await read(headers)).status).toBe(403)
  })

  test('ends when it is revoked or expires', async () => {
    const { id, headers } = await made({ roles: ['Clerk'] })
    const expiresAt = new Date(Date.now() - 1)
    await deps.db.update(apiKeys).set({ expiresAt }).where(eq(apiKeys.id, id))
    expect((await read(headers)).status).toBe(401)
    await deps.db.update(apiKeys).set({ expiresAt: null }).where(eq(apiKeys.id, id))
    expect((await read(headers)).status).toBe(200)
    await act(one.DELETE, 'DELETE', id, { as: 'ADMIN' })
    expect((await read(headers)).status).toBe(401)
  })

  test('keeps its roles and scopes when it is rotated', async () => {
    const { id, headers } = await made({ roles: ['EDITOR'], scopes: ['Thing:read'] })
    const rotated = (await act(rotate.POST, 'POST', id, { as: 'ADMIN' })).body.data[0]
    expect(rotated).toMatchObject({ id, roles: ['EDITOR'], scopes: ['Thing:read'], ownerId: null })
    expect((await read(headers)).status).toBe(401)
    const renewed = { authorization: `Bearer ${rotated.apiKey}` }
    expect((await read(renewed)).status).toBe(200)
    expect((await write(renewed)).status).toBe(403)
  })

  test('is named in the audit log', async () => {
    const { id, headers } = await made({ roles: ['EDITOR'] })
    await write(headers)
    const found = await deps.db.select().from(auditLog).where(eq(auditLog.actorId, id))
    expect(found).toMatchObject([{ actorType: 'api_key', actorName: 'Website' }])
    const [entry] = await deps.db.select().from(auditLog).where(eq(auditLog.objectId, id))
    expect(entry).toMatchObject({
      action: 'api-keys.create',
      details: { after: { roles: ['EDITOR'] } },
    })
  })
})

describe('no person', () => {
  test('stands behind it: it has no account, and none can be made of it', async () => {
    const { headers } = await made({ roles: ['ADMIN'] })
    const account = await call(deps, me.GET, { path: '/api/users/me', headers })
    expect(account).toMatchObject({
      ...{ status: 403, body: { error: expect.stringContaining('has roles of its own') } },
    })
    const child = await create({}, { headers })
    expect(child).toMatchObject({
      ...{ status: 403, body: { error: expect.stringContaining('give the new key roles') } },
    })
    expect((await create({ roles: ['Clerk'] }, { headers })).status).toBe(201)
  })

  test('is $me: a condition with it is refused', async () => {
    const { headers } = await made({ roles: ['Clerk'] })
    const response = await call(deps, search.POST, {
      ...{ method: 'POST', path: '/api/entities/Thing/search', params, headers },
      body: { query: [{ field: 'title', operator: 'eq', value: '$me' }] },
    })
    expect(response).toMatchObject({
      ...{ status: 400, body: { error: expect.stringContaining('the caller has none') } },
    })
  })

  test('has its views: it sees those of everybody and saves none', async () => {
    const owner = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
    const save = (body: object, headers: Headers) => {
      const view = { entity: 'Thing', params: '', ...body }
      return call(deps, views.POST, { method: 'POST', path: '/api/views', headers, body: view })
    }
    await save({ name: 'mine', defaultForMe: true }, owner)
    await save(
      { name: 'of administrators', visibility: 'role', role: 'ADMIN', defaultForRoles: ['ADMIN'] },
      owner,
    )
    await save({ name: 'shared', shared: true, defaultForRoles: ['ADMIN'] }, owner)
    const { headers } = await made({ roles: ['ADMIN'] })
    const seen = await call(deps, views.GET, { path: '/api/views?entity=Thing', headers })
    expect(seen.body.data).toMatchObject([
      { name: 'shared', mine: false, defaultForMe: false, opens: false },
    ])
    expect((await save({ name: 'own' }, headers)).status).toBe(403)
  })
})

describe('roles are given to a key', () => {
  test.each([
    ['by a key that may not manage security', ['keys:manage', 'users:manage', '*:read'], ['Clerk']],
    ['by who lacks one of their rights', ['keys:manage', 'security:manage', '*:read'], ['EDITOR']],
    ['by who lacks a right of a policy', ['keys:manage', 'security:manage'], ['Clerk']],
    ['by who lacks a right of all', ['keys:manage', 'security:manage', '*:*'], ['ADMIN']],
  ])('not %s, nor is one with them rotated', async (_, scopes, wanted) => {
    const maker = { as: 'ADMIN', scopes }
    expect((await create({ roles: wanted, scopes: ['Thing:read'] }, maker)).status).toBe(403)
    const { id } = await made({ roles: wanted, scopes: ['Thing:read'] })
    expect((await act(rotate.POST, 'POST', id, maker)).status).toBe(403)
    expect((await act(rotate.POST, 'POST', id, { as: 'ADMIN' })).status).toBe(200)
  })

  test('by a key that has their rights and may manage security', async () => {
    const maker = { as: 'ADMIN', scopes: ['keys:manage', 'security:manage', 'Thing:read'] }
    expect((await create({ roles: ['Clerk'] }, maker)).status).toBe(201)
  })

  test('not by a key that ends sooner', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const maker = { headers: (await made({ roles: ['ADMIN'], expiresAt })).headers }
    expect((await create({ roles: ['Clerk'] }, maker)).status).toBe(403)
    expect((await create({ roles: ['Clerk'], expiresAt }, maker)).status).toBe(201)
  })

  test.each([
    ['none', [], 'roles'],
    ['one twice', ['clerk', 'CLERK'], 'roles'],
    ['one without a name', [' '], 'roles.0'],
    ['one that looks like another', ['ADM1N'], 'roles.0'],
    ['a text', 'Clerk', 'roles'],
  ])('%s: refused', async (_, roles, field) => {
    expect(await create({ roles })).toMatchObject({
      ...{ status: 400, body: { validations: [{ field }] } },
    })
  })

  test('or it has an owner, never both or neither', async () => {
    await made({ roles: ['Clerk'] })
    await testKey(deps, ['VIEWER'])
    const change = (columns: object) => deps.db.update(apiKeys).set(columns)
    await expect(change({ roles: sql`array['ADMIN']` })).rejects.toThrow()
    await expect(change({ ownerId: null })).rejects.toThrow()
  })
})
