import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { apiKeys } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import { DELETE, PATCH } from './[id]/route'
import { GET, POST } from './route'

const deps = freshDeps()

const person = async (role: string) => {
  const headers = { authorization: `Bearer ${await testKey(deps, [role])}` }
  return {
    save: (body: object) => call(deps, POST, { path: '/api/views', method: 'POST', headers, body }),
    list: async () => {
      const { body } = await call(deps, GET, { path: '/api/views?entity=Thing', headers })
      return body.data as { id: string; name: string; mine: boolean }[]
    },
    on: (handler: Handler, method: string, id: string, body?: object) =>
      call(deps, handler, { path: `/api/views/${id}`, method, headers, body, params: { id } }),
  }
}

const VIEW = { entity: 'Thing', name: 'Open ones', params: 'sort=name:asc' }

describe('saved views', () => {
  test('are seen by their owner, and by everybody when shared', async () => {
    const [one, other] = [await person('EDITOR'), await person('VIEWER')]
    const { status, body } = await one.save(VIEW)
    expect(status).toBe(201)
    expect(body.data[0]).toMatchObject({ ...VIEW, shared: false, mine: true })
    await one.save({ ...VIEW, name: 'For all', shared: true })
    expect(await one.list()).toMatchObject([{ name: 'For all' }, { name: 'Open ones' }])
    expect(await other.list()).toMatchObject([{ name: 'For all', mine: false }])
  })

  test('have case-insensitive names of their own', async () => {
    const one = await person('EDITOR')
    await one.save(VIEW)
    const again = await one.save({ ...VIEW, name: 'OPEN ONES' })
    expect(again.status).toBe(409)
    expect(again.body.validations).toEqual([expect.objectContaining({ field: 'name' })])
  })

  test('are changed and deleted by their owner', async () => {
    const one = await person('EDITOR')
    const id = (await one.save(VIEW)).body.data[0].id
    const changed = await one.on(PATCH, 'PATCH', id, { shared: true, params: 'q=x' })
    expect(changed.body.data[0]).toMatchObject({ name: 'Open ones', shared: true, params: 'q=x' })
    expect((await one.on(DELETE, 'DELETE', id)).status).toBe(200)
    expect(await one.list()).toEqual([])
    expect((await one.on(DELETE, 'DELETE', id)).status).toBe(404)
  })

  test('of another user cannot be changed: private ones do not exist, shared ones are refused', async () => {
    const [one, other, admin] = [
      await person('EDITOR'),
      await person('EDITOR'),
      await person('ADMIN'),
    ]
    const secret = (await one.save(VIEW)).body.data[0].id
    const shared = (await one.save({ ...VIEW, name: 'b', shared: true })).body.data[0].id
    expect((await other.on(PATCH, 'PATCH', secret, { name: 'x' })).status).toBe(404)
    expect((await other.on(DELETE, 'DELETE', shared)).status).toBe(403)
    expect((await admin.on(DELETE, 'DELETE', secret)).status).toBe(404)
    expect((await admin.on(DELETE, 'DELETE', shared)).status).toBe(200)
  })

  test('need the right to read the entity', async () => {
    const guest = await person('GUEST')
    expect((await guest.save(VIEW)).status).toBe(403)
    const system = { path: '/api/views?entity=EngineUsers', as: 'VIEWER' }
    expect((await call(deps, GET, system)).status).toBe(403)
    expect((await call(deps, GET, { path: '/api/views?entity=Thing' })).status).toBe(401)
  })

  test('are not kept by a key that is limited to scopes, which sees only shared ones', async () => {
    const owner = await person('ADMIN')
    await owner.save(VIEW)
    const shared = (await owner.save({ ...VIEW, name: 'Shared', shared: true })).body.data[0].id
    const key = await testKey(deps, ['ADMIN'], ['Thing:read', 'users:manage'])
    await deps.db
      .update(apiKeys)
      .set({ ownerId: sql`(select owner_id from engine.saved_views limit 1)` })
    const headers = { authorization: `Bearer ${key}` }
    const limited = { path: '/api/views', headers }
    expect((await call(deps, POST, { ...limited, method: 'POST', body: VIEW })).status).toBe(403)
    const one = { ...limited, path: `/api/views/${shared}`, params: { id: shared } }
    expect((await call(deps, DELETE, { ...one, method: 'DELETE' })).status).toBe(403)
    const listed = await call(deps, GET, { path: '/api/views?entity=Thing', headers })
    expect(listed.body.data).toMatchObject([{ name: 'Shared' }])
  })

  test.each([
    ['no name', { ...VIEW, name: ' ' }],
    ['an unknown property', { ...VIEW, owner: 'x' }],
    ['params that are too long', { ...VIEW, params: 'x'.repeat(16_001) }],
  ])('are refused with %s', async (_, body) => {
    expect((await (await person('ADMIN')).save(body)).status).toBe(400)
  })
})
