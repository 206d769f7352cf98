import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import * as one from './[id]/route'
import * as batch from './batch/route'
import * as entity from './route'
import { COUNTRY, create, DE, deps, FR, send, signInAs } from './testing/countries'

describe('who may do what', () => {
  const EVERY: [object, string, string, unknown][] = [
    [entity, 'POST', '', DE],
    [entity, 'PUT', '', DE],
    [batch, 'POST', '/batch', [DE]],
    [batch, 'PUT', '/batch', [DE]],
    [one, 'GET', '/FR', undefined],
    [one, 'PUT', '/FR', FR],
    [one, 'PATCH', '/FR', FR],
    [one, 'DELETE', '/FR', undefined],
  ]

  test('no credential: 401; a viewer only reads', async () => {
    await installTestEntity(deps, COUNTRY, [FR])
    for (const [routes, method, path, body] of EVERY) {
      await signInAs([])
      expect((await send(routes, method, path, { body })).status).toBe(401)
      await signInAs(['VIEWER'])
      const { status } = await send(routes, method, path, { body })
      expect([method, path, status]).toEqual([method, path, method === 'GET' ? 200 : 403])
    }
  })

  test('an entity that its definition closes: 403', async () => {
    const permissions = { read: false, write: false, update: false, delete: false }
    await installTestEntity(deps, { ...COUNTRY, entity: { ...COUNTRY.entity, permissions } }, [FR])
    for (const [routes, method, path, body] of EVERY)
      expect([method, path, (await send(routes, method, path, { body })).status]).toEqual([
        method,
        path,
        403,
      ])
  })

  test('an unknown entity: 404; a system entity is read-only', async () => {
    await signInAs(['ADMIN'])
    for (const [routes, method, path, body] of EVERY) {
      expect((await send(routes, method, path, { body, name: 'Nothing' })).status).toBe(404)
      if (method === 'GET') continue
      const response = await send(routes, method, path, { body, name: 'EngineUsers' })
      expect([method, path, response.status]).toEqual([method, path, 405])
      expect(response.headers.get('allow')).toContain('OPTIONS')
    }
  })

  test('a key that may write but not read gets no more than ids', async () => {
    await installTestEntity(deps, COUNTRY, [DE])
    const scopes = ['Country:write', 'Country:update']
    await signInAs(['EDITOR'], scopes)
    expect((await create(FR)).body.data).toEqual([{ persistenceId: 'FR' }])
    const changed = await send(one, 'PATCH', '/DE', { body: { name: 'D' } })
    expect(changed.body.data).toEqual([{ persistenceId: 'DE' }])
  })

  test('unknown query parameters: 400', async () => {
    await installTestEntity(deps, COUNTRY, [FR])
    for (const [routes, method, path, body] of EVERY) {
      if (path === '' && method === 'GET') continue
      expect((await send(routes, method, `${path}?x=1`, { body })).status).toBe(400)
    }
  })
})
