import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/methods'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { ROUTES } from '../routes'
import { GET } from './route'
import { deps, methodsOf, pathsOf, read } from './testing/airports'

describe('who asks', () => {
  test('without a credential it does not include entities', async () => {
    const text = JSON.stringify(await read())
    expect(text).toContain('/api/entities/{entityName}/search')
    expect(text).not.toContain('Country')
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

describe('the schemas of an entity', () => {
  test('describe its records, and what can be sent', async () => {
    const { schemas } = (await read('ADMIN')).components
    expect(schemas.Airport.required).toContain('CreatedAt')
    expect(schemas.Airport.properties.height).toEqual({ type: 'integer' })
    expect(schemas.Airport.properties.kind.enum).toEqual(['civil', 'military', null])
    expect(schemas['Airport.New'].required).toEqual(['name', 'height'])
    expect(schemas['Airport.New'].properties.CreatedAt).toEqual({ readOnly: true })
    expect(schemas['Airport.New'].properties.height).toMatchObject({ minimum: 100, maximum: 9000 })
    expect(schemas['Airport.Change'].required).toBeUndefined()
    expect(schemas['Airport.Keyed'].required).toEqual(['id'])
    expect(schemas['Airport.New'].additionalProperties).toBe(false)
    expect(schemas['Airport.New'].properties.country.description).toBe(
      'Refers to `code` of Country',
    )
  })

  test.each(['', 'a@example.com', null, 'a'])(
    'take %j for an optional text with a format when the server does',
    async (contact) => {
      const { paths, components } = await read('ADMIN')
      const validate = formats(new Ajv2020()).compile(
        components.schemas['Airport.New'].properties.contact,
      )
      const { example } =
        paths['/api/entities/Airport'].post.requestBody.content['application/json']
      const { status } = await call(deps, ROUTES['/api/entities/[entityName]']?.POST as Handler, {
        method: 'POST',
        path: '/api/entities/Airport',
        params: { entityName: 'Airport' },
        as: 'ADMIN',
        body: { ...example, contact },
      })
      expect([validate(contact), status]).toEqual(contact === 'a' ? [false, 400] : [true, 201])
    },
  )
})
