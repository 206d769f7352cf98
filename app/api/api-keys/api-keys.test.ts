import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { writeUses } from '@/lib/auth/credential-uses'
import { apiKeys, auditLog, users } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import * as entities from '../entities/route'
import * as images from '../images/route'
import * as password from '../users/me/password/route'
import * as me from '../users/me/route'
import * as rotate from './[id]/rotate/route'
import * as key from './[id]/route'
import * as keys from './route'

const deps = freshDeps()
const DAY_MS = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const create = (body: unknown, scopes?: string[]) =>
  call(deps, keys.POST, { method: 'POST', path: '/api/api-keys', as: 'ADMIN', scopes, body })
const act = (handler: typeof rotate.POST, method: string, id: string, scopes?: string[]) =>
  call(deps, handler, { method, path: `/api/api-keys/${id}`, params: { id }, as: 'ADMIN', scopes })
const use = (apiKey: string, header = 'X-Engine-ApiKey') =>
  call(deps, entities.GET, {
    path: '/api/entities',
    headers: { [header]: header === 'Authorization' ? `Bearer ${apiKey}` : apiKey },
  })

describe('an API key', () => {
  test('is shown once, and kept as prefix and hash', async () => {
    const response = await create({ name: 'Import' })
    expect(response).toMatchObject({ status: 201, body: { code: 201, status: 'CREATED' } })
    const [made] = response.body.data
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Import',
      prefix: made.apiKey.slice(0, 12),
      scopes: null,
      roles: null,
      status: 'ACTIVE',
      ownerId: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
      createdAt: expect.any(String),
      apiKey: expect.stringMatching(/^eng_[\w-]{43}$/),
    })
    expect(JSON.stringify(await deps.db.select().from(apiKeys))).not.toContain(made.apiKey)
    expect((await act(key.GET, 'GET', made.id)).text).not.toContain(made.apiKey)
    const list = await call(deps, keys.GET, { path: '/api/api-keys?size=100', as: 'ADMIN' })
    expect(list.body.data.map(({ name }: { name: string }) => name)).toContain('Import')
    expect(list.text).not.toContain('hash')
    expect(JSON.stringify(await deps.db.select().from(auditLog))).not.toContain(made.apiKey)
  })

  test.each(['X-Engine-ApiKey', 'Authorization'])(
    'opens what it may by %s, and is seen to be used',
    async (header) => {
      const [made] = (await create({ name: 'a' })).body.data
      expect((await use(made.apiKey, header)).status).toBe(200)
      const lastUsedAt = async () => (await act(key.GET, 'GET', made.id)).body.data[0].lastUsedAt
      await writeUses(deps)
      expect(await lastUsedAt()).not.toBeNull()
    },
  )

  test('that is altered, cut or unknown opens nothing', async () => {
    const [made] = (await create({ name: 'a' })).body.data
    for (const wrong of [`${made.apiKey}x`, made.apiKey.slice(0, -1), made.prefix, 'eng_', 'x'])
      expect((await use(wrong)).status).toBe(401)
  })

  test('ends when it is revoked, and stays in the list', async () => {
    const [made] = (await create({ name: 'a' })).body.data
    expect((await act(key.DELETE, 'DELETE', made.id)).body.data[0].status).toBe('REVOKED')
    expect((await use(made.apiKey)).status).toBe(401)
    expect((await act(key.GET, 'GET', made.id)).body.data[0].status).toBe('REVOKED')
    expect((await act(rotate.POST, 'POST', made.id)).status).toBe(409)
  })

  test('is listed with its owner', async () => {
    await create({ name: 'Owned' })
    const read = (query: string) =>
      call(deps, keys.GET, { path: `/api/api-keys?${query}`, as: 'ADMIN' })
    const listed = (await read('filter=name:eq:Owned')).body.data
    expect(listed).toMatchObject([{ owner: expect.stringContaining('@') }])
    const { owner, ownerId } = listed[0]
    const [user] = await deps.db.select().from(users).where(eq(users.id, ownerId))
    expect(owner).toBe(user?.email)
    const found = (await read(`filter=owner:eq:${owner},name:eq:Owned&sort=owner:asc`)).body
    expect(found.data).toHaveLength(1)
  })

  test('ends when it expires', async () => {
    const [made] = (await create({ name: 'a', expiresAt: inDays(1) })).body.data
    expect((await use(made.apiKey)).status).toBe(200)
    await deps.db
      .update(apiKeys)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(apiKeys.id, made.id))
    expect((await use(made.apiKey)).status).toBe(401)
    expect((await act(key.GET, 'GET', made.id)).body.data[0].status).toBe('EXPIRED')
  })

  test('ends when its owner is disabled, and narrows when its owner is demoted', async () => {
    const apiKey = await testKey(deps, ['ADMIN'])
    const list = () =>
      call(deps, keys.GET, { path: '/api/api-keys', headers: { 'X-Engine-ApiKey': apiKey } })
    expect((await list()).status).toBe(200)
    await deps.db.update(users).set({ roles: ['VIEWER'] })
    expect((await list()).status).toBe(403)
    await deps.db.update(users).set({ status: 'DISABLED' })
    expect((await list()).status).toBe(401)
  })

  test('is refused with a name that begins or ends with a space', async () => {
    for (const name of [' Import', 'Import ', ' ']) {
      const { status, body } = await create({ name })
      expect({ status, fields: body.validations }).toMatchObject({
        ...{ status: 400, fields: [{ field: 'name' }] },
      })
    }
  })

  test('that is limited to scopes has no account, and none changes a password', async () => {
    const [scoped] = (await create({ name: 'scoped', scopes: ['*:read'] })).body.data
    const [full] = (await create({ name: 'full' })).body.data
    const read = (apiKey: string) =>
      call(deps, me.GET, { path: '/api/users/me', headers: { 'x-engine-apikey': apiKey } })
    expect(await read(scoped.apiKey)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('no account') },
    })
    expect((await read(full.apiKey)).status).toBe(200)
    for (const { apiKey } of [scoped, full]) {
      const changed = await call(deps, password.PUT, {
        method: 'PUT',
        path: '/api/users/me/password',
        headers: { 'x-engine-apikey': apiKey },
        body: { currentPassword: 'anything at all', newPassword: 'a quite new password' },
      })
      expect(changed.status).toBe(403)
    }
  })

  test('gets another secret by rotation; the old one ends', async () => {
    const [made] = (await create({ name: 'a', scopes: ['*:read'], expiresAt: inDays(9) })).body.data
    const response = await act(rotate.POST, 'POST', made.id)
    const [rotated] = response.body.data
    const { id, name, scopes, expiresAt, status } = made
    expect(rotated).toMatchObject({ id, name, scopes, expiresAt, status })
    expect((await use(made.apiKey)).status).toBe(401)
    expect((await use(rotated.apiKey)).status).toBe(200)
  })

  test('does what its scopes name, and no more', async () => {
    const [made] = (await create({ name: 'a', scopes: ['images:upload', 'Airport:read'] })).body
      .data
    const headers = { 'X-Engine-ApiKey': made.apiKey }
    expect((await call(deps, keys.GET, { path: '/api/api-keys', headers })).status).toBe(403)
    expect((await call(deps, images.GET, { path: '/api/images', headers })).status).toBe(403)
  })
})

describe('what is asked for', () => {
  test.each([
    ['Airport:read'],
    ['Airport:*'],
    ['*:read'],
    ['*:*'],
    ['EngineUsers:read'],
    ['plugins:install'],
    ['images:upload'],
    ['users:manage'],
  ])('the scope %s is known', async (scope) => {
    const response = await create({ name: 'a', scopes: [scope, scope] })
    expect(response.body.data[0].scopes).toEqual([scope])
  })

  test.each([
    ['no name', {}, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['no scope', { name: 'a', scopes: [] }, 'scopes'],
    ['a scope of no action', { name: 'a', scopes: ['Airport'] }, 'scopes.0'],
    ['an unknown action', { name: 'a', scopes: ['Airport:fly'] }, 'scopes.0'],
    ['an unknown permission', { name: 'a', scopes: ['users:invent'] }, 'scopes.0'],
    ['a time that is past', { name: 'a', expiresAt: inDays(-1) }, 'expiresAt'],
    ['more than a year', { name: 'a', expiresAt: inDays(400) }, 'expiresAt'],
    ['no time at all', { name: 'a', expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an unknown property', { name: 'a', owner: 'me' }, 'owner'],
  ])('%s is refused', async (_, body, field) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { validations: [{ field }] } })
  })

  test.each([
    ['a key without scopes', undefined],
    ['a scope of another kind', ['users:manage']],
    ['a wider entity', ['*:read']],
    ['a wider action', ['Airport:*']],
    ['a system entity', ['EngineUsers:read']],
  ])('a key with scopes cannot make %s', async (_, scopes) => {
    const response = await create({ name: 'a', scopes }, ['keys:manage', 'Airport:read'])
    expect(response.status).toBe(403)
  })

  test('a key with scopes can make one with the same', async () => {
    const scopes = ['keys:manage', 'Airport:read']
    expect((await create({ name: 'a', scopes: ['Airport:read'] }, scopes)).status).toBe(201)
  })

  test('a key cannot make one that outlives it', async () => {
    const body = { name: 'a', scopes: ['keys:manage'], expiresAt: inDays(2) }
    const [parent] = (await create(body)).body.data
    const make = (more: object) =>
      call(deps, keys.POST, {
        method: 'POST',
        path: '/api/api-keys',
        headers: { 'X-Engine-ApiKey': parent.apiKey },
        body: { name: 'b', scopes: ['keys:manage'], ...more },
      })
    expect((await make({})).status).toBe(403)
    expect((await make({ expiresAt: inDays(3) })).status).toBe(403)
    expect((await make({ expiresAt: inDays(1) })).status).toBe(201)
  })

  test('a key with scopes can rotate one that may do as much', async () => {
    const [made] = (await create({ name: 'a', scopes: ['Airport:read'] })).body.data
    const scopes = ['keys:manage', 'Airport:read']
    expect((await act(rotate.POST, 'POST', made.id, scopes)).status).toBe(200)
  })

  test('a key with scopes cannot rotate one that may do more', async () => {
    const [made] = (await create({ name: 'a' })).body.data
    expect((await act(rotate.POST, 'POST', made.id, ['keys:manage'])).status).toBe(403)
  })

  test.each(['nothing', crypto.randomUUID()])('the key %s is not found', async (id) => {
    expect((await act(key.GET, 'GET', id)).status).toBe(404)
    expect((await act(key.DELETE, 'DELETE', id)).status).toBe(404)
    expect((await act(rotate.POST, 'POST', id)).status).toBe(404)
  })
})
