import { describe, expect, test } from 'vitest'
import { bodySchema } from '@/lib/openapi/describe-operation'
import { installTestEntity } from '@/lib/testing/entity'
import { ROUTES } from '../routes'
import { type Document, deps, pathsOf, read } from './testing/airports'
import { perform } from './testing/examples'

describe('examples', () => {
  test('that the definition gives are those of the field and of records', async () => {
    const { paths, components } = await read('ADMIN')
    const { Airport, 'Airport.New': added } = components.schemas
    expect(Airport.properties.iata.examples).toEqual(['ZRH'])
    expect(added.properties.iata.examples).toEqual(['ZRH'])
    expect(added.properties.code.examples).toBeUndefined()
    const { example } = paths['/api/entities/Airport'].post.requestBody.content['application/json']
    expect(example.iata).toBe('ZRH')
    expect(example).not.toHaveProperty('code')
  })

  test('are missing where a field that is needed has a pattern and no example', async () => {
    const pattern = '^[A-Z]{3}$'
    await installTestEntity(deps, {
      entity: { name: 'Plane', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
      schema: { properties: [{ name: 'code', type: 'string', meta: { pattern } }] },
    })
    const { paths, components } = await read('ADMIN')
    expect(components.schemas['Plane.New'].examples).toBeUndefined()
    const operations = pathsOf({ paths }, 'Plane').flatMap(
      (path) => Object.values(paths[path]) as Document[],
    )
    const shown = operations.filter(
      ({ requestBody }) => requestBody?.content['application/json']?.example !== undefined,
    )
    expect(shown.map(({ operationId }) => operationId).sort()).toEqual([
      'changePlaneRecord',
      'changePlaneRecordComment',
      'countPlaneRecordsByBody',
      'createPlaneRecordComment',
      'createPlaneRecordsExport',
      'exportPlaneRecords',
      'replacePlaneRecord',
      'searchPlaneRecords',
    ])
    const [id] = paths['/api/entities/Plane/{id}'].get.parameters
    expect(id.name).toBe('id')
    expect(id.example).toBeUndefined()
  })

  test('of a record with a required reference name an existing one', async () => {
    const airports = (await read('ADMIN')).paths['/api/entities/Airport']
    await perform('/api/entities/Airport', 'post', airports.post, 'Airport')
    const { paths } = await read('ADMIN')
    const { post } = paths['/api/entities/Runway']
    const { example } = post.requestBody.content['application/json']
    expect(example).toEqual({ airport: 1, code: '09L' })
    expect((await perform('/api/entities/Runway', 'post', post, 'Runway')).status).toBe(201)
    const scoped = (await read('ADMIN', ['Runway:*'])).paths['/api/entities/Runway']
    expect(scoped.post.requestBody.content['application/json'].example.airport).toBe(42)
  })

  test('of other operations are taken', () => {
    const specs = Object.values(ROUTES).flatMap((handlers) =>
      Object.values(handlers).flatMap((handler) => handler?.spec ?? []),
    )
    const shown = specs.filter(({ doc }) => 'example' in doc)
    expect(shown.length).toBeGreaterThan(3)
    for (const spec of shown) {
      const example = 'example' in spec.doc ? spec.doc.example : null
      expect(bodySchema(spec)?.safeParse(example).error).toBeUndefined()
    }
  })
})
