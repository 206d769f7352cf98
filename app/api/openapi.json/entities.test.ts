import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/methods'
import { bodySchema } from '@/lib/openapi/describe-operation'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { ROUTES } from '../routes'
import { GET } from './route'

const AIRPORT_ID = { entity: 'Airport', field: 'id' }

const deps = freshDeps()
beforeEach(async () => {
  await installTestEntity(deps, {
    entity: { name: 'Country', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    schema: { properties: [{ name: 'code', type: 'string' }] },
  })
  await installTestEntity(deps, { entity: { name: 'Airport', auditable: true }, schema: AIRPORT })
  await installTestEntity(deps, { entity: { name: 'Runway' }, schema: RUNWAY })
})

const RUNWAY = {
  properties: [
    { name: 'airport', type: 'bigint', meta: { required: true, reference: AIRPORT_ID } },
    {
      name: 'code',
      type: 'string',
      meta: { required: true, unique: true, pattern: '^\\d\\d[LR]$', example: '09L' },
    },
  ],
}

const AIRPORT = {
  additionalProperties: false,
  properties: [
    { name: 'name', type: 'string', label: 'Name', meta: { required: true, maxLength: 8 } },
    { name: 'kind', type: 'string', meta: { enum: ['civil', 'military'] } },
    { name: 'country', type: 'string', meta: { reference: { entity: 'Country', field: 'code' } } },
    { name: 'height', type: 'integer', meta: { min: 100, max: 9000, required: true } },
    { name: 'fee', type: 'decimal', meta: { max: 10 } },
    { name: 'opened', type: 'date' },
    { name: 'changed', type: 'datetime' },
    { name: 'opens', type: 'time' },
    { name: 'contact', type: 'email' },
    { name: 'active', type: 'boolean', meta: { required: true, default: true } },
    { name: 'code', type: 'string', meta: { pattern: '^[^a]$' } },
    { name: 'iata', type: 'string', meta: { pattern: '^[A-Z]{3}$' }, example: 'ZRH' },
    { name: 'runways', type: 'array' },
    { name: 'place', type: 'object' },
  ],
}

type Document = {
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, of any shape
  [key: string]: any
}

async function read(as?: string, scopes?: string[]): Promise<Document> {
  const { body } = await call(deps, GET, { path: '/api/openapi.json', as, scopes })
  return body
}

const pathsOf = ({ paths }: Document, entity: string) =>
  Object.keys(paths).filter((path) => path.startsWith(`/api/entities/${entity}`))

const methodsOf = ({ paths }: Document, path: string) => Object.keys(paths[path] ?? {}).sort()

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
