import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET } from './route'
import { deps, methodsOf, pathsOf, read } from './testing/airports'

describe('who asks', () => {
  test('without a credential it does not include entities', async () => {
    const text = JSON.stringify(await read())
    expect(text).toContain('/api/entities/{entityName}/search')
    expect(text).not.toContain('Country')
  })

  test('what belongs to a person in a browser takes a session', async () => {
    const { paths } = (await read()) as { paths: Record<string, Record<string, unknown>> }
    expect(paths['/api/users/me/sessions']?.get).toMatchObject({ security: [{ session: [] }] })
  })

  test('it includes the entities the caller may read, and the actions they may use', async () => {
    const viewer = await read('VIEWER')
    expect(methodsOf(viewer, '/api/entities/Airport')).toEqual(['get'])
    expect(methodsOf(viewer, '/api/entities/Airport/{id}')).toEqual(['get'])
    const editor = await read('EDITOR')
    expect(methodsOf(editor, '/api/entities/Airport')).toEqual(['get', 'post', 'put'])
    const scoped = await read('ADMIN', ['Country:read'])
    expect(pathsOf(scoped, 'Airport')).toEqual([])
    expect(pathsOf(scoped, 'Country')).not.toEqual([])
    expect(pathsOf(await read('Clerk'), 'Airport')).toEqual([])
  })

  test('what an entity closes by its definition is not there', async () => {
    const permissions = { write: false, update: false, delete: false }
    await installTestEntity(deps, { entity: { name: 'Fact', permissions } })
    await installTestEntity(deps, { entity: { name: 'Secret', permissions: { read: false } } })
    const document = await read('ADMIN')
    expect(methodsOf(document, '/api/entities/Fact/{id}')).toEqual(['get'])
    expect(pathsOf(document, 'Secret')).toEqual([])
  })

  test('a client with the current document gets 304, until an entity changes', async () => {
    const key = { as: 'ADMIN', path: '/api/openapi.json' }
    const etag = (await call(deps, GET, key)).headers.get('etag') ?? ''
    const ask = () => call(deps, GET, { ...key, headers: { 'if-none-match': etag } })
    expect((await ask()).status).toBe(304)
    await installTestEntity(deps, { entity: { name: 'Note' } })
    expect((await ask()).status).toBe(200)
  })
})
