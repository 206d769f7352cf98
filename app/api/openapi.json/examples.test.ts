import { describe, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/methods'
import { bodySchema } from '@/lib/openapi/describe-operation'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { ROUTES } from '../routes'
import { type Document, deps, pathsOf, read } from './testing/airports'

describe('examples', () => {
  const handlerOf = (path: string, method: string) => {
    const route = path
      .replace('/Airport', '/{entityName}')
      .replace('/Country', '/{entityName}')
      .replace('/Runway', '/{entityName}')
      .replaceAll('{', '[')
      .replaceAll('}', ']')
    return ROUTES[route]?.[method.toUpperCase()] as Handler
  }

  test.each(['Airport', 'Country'])('of %s work', async (entityName) => {
    const document = await read('ADMIN')
    const operations = pathsOf(document, entityName).flatMap((path) =>
      Object.entries(document.paths[path]).map(([method, operation]) => ({
        path,
        method,
        operation: operation as Document,
      })),
    )
    const isLast = ({ operation }: { operation: Document }) =>
      Number(operation.operationId.startsWith('delete'))
    operations.sort((a, b) => isLast(a) - isLast(b))
    expect(operations).toHaveLength(15)
    await createExampleKey(document, entityName)
    const responses: Record<string, number> = {}
    for (const { path, method, operation } of operations) {
      if (operation.operationId.startsWith('create')) continue
      const { status } = await perform(path, method, operation, entityName)
      responses[operation.operationId] = status
    }
    expect(Object.entries(responses).filter(([, status]) => status !== 200)).toEqual([])
  })

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
      ({ requestBody }) => requestBody?.content['application/json'].example !== undefined,
    )
    expect(shown.map(({ operationId }) => operationId).sort()).toEqual([
      'changePlaneRecord',
      'countPlaneRecordsByBody',
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

  /** Also with the example of a new record, so that the examples of changes have something to change. */
  async function createExampleKey(document: Document, entityName: string) {
    const path = `/api/entities/${entityName}`
    const { post, put } = document.paths[path]
    const created = await perform(path, 'post', post, entityName)
    expect(created.status).toBe(201)
    const keyed = put.requestBody.content['application/json'].example
    if (entityName === 'Country') return
    const again = await call(deps, handlerOf(path, 'post'), {
      method: 'POST',
      path,
      as: 'ADMIN',
      params: { entityName },
      body: keyed,
    })
    expect(again.status).toBe(201)
  }

  async function perform(path: string, method: string, operation: Document, entityName: string) {
    const parameters: Document[] = operation.parameters ?? []
    const query = parameters.filter((part) => part.in === 'query' && part.example !== undefined)
    const search = new URLSearchParams(query.map(({ name, example }) => [name, example]))
    const id = parameters.find(({ name }) => name === 'id')?.example
    return call(deps, handlerOf(path, method), {
      method: method.toUpperCase(),
      path: `${path.replace('{id}', id)}?${search}`,
      as: 'ADMIN',
      params: id === undefined ? { entityName } : { entityName, id },
      body: operation.requestBody?.content['application/json'].example,
    })
  }

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
