import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import type { Handler } from '@/lib/http/methods'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import * as one from './[id]/route'
import * as batch from './batch/route'
import * as entity from './route'
import * as search from './search/route'

const deps = freshDeps()
let headers: Record<string, string>

const CODE = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
const COUNTRY = {
  entity: { name: 'Country', pks: CODE, auditable: true },
  schema: {
    properties: [
      { name: 'code', type: 'string', pattern: '^[A-Z]{2}$' },
      { name: 'name', type: 'string', required: true },
      { name: 'iso', type: 'string', unique: true },
      { name: 'people', type: 'integer', min: 0 },
      { name: 'since', type: 'Date' },
    ],
  },
}
const DE = { code: 'DE', name: 'Germany', iso: '276', people: 83 }
const FR = { code: 'FR', name: 'France', iso: '250' }

beforeEach(async () => {
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
})

type Route = { [method: string]: Handler }
type Options = { body?: unknown; more?: Record<string, string>; name?: string }

const send = (
  routes: object,
  method: string,
  path: string,
  { body, more, name = 'Country' }: Options = {},
) =>
  call(deps, (routes as Route)[method] as Handler, {
    method,
    path: `/api/entities/${name}${path}`,
    body,
    headers: { ...headers, ...more },
    params: { entityName: name, ...(routes === one ? { id: idIn(path) } : {}) },
  })

const idIn = (path: string) => decodeURIComponent(path.slice(1).split('?')[0] ?? '')

const create = (body: unknown, name?: string) => send(entity, 'POST', '', { body, name })
const createMany = (body: unknown, name?: string) => send(batch, 'POST', '/batch', { body, name })
const read = async (id: string, name?: string) =>
  (await send(one, 'GET', `/${encodeURIComponent(id)}`, { name })).body.data[0]

const auditRows = () =>
  rows<JsonObject>(
    deps.db,
    sql`select action, object_type as type, object_id as id, details from engine.audit_log where action like 'records.%' order by engine.audit_log.id`,
  )

describe('creating a record', () => {
  test('returns 201 and the record as searches show it', async () => {
    await installTestEntity(deps, COUNTRY)
    const { status, body } = await create({ ...DE, since: '1990-10-03', area: { km2: 357_592 } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ code: 201, status: 'CREATED' })
    expect(body.data).toEqual([
      {
        ...DE,
        since: '1990-10-03T00:00:00.000Z',
        area: { km2: 357_592 },
        persistenceId: 'DE',
        CreatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        CreatedBy: 'test',
        LastUpdatedAt: body.data[0].CreatedAt,
        LastUpdatedBy: 'test',
      },
    ])
    expect(await read('DE')).toEqual(body.data[0])
    const found = await send(search, 'POST', '/search', { body: {} })
    expect(found.body.data).toEqual(body.data)
  })

  test('makes its undeclared fields searchable immediately', async () => {
    await installTestEntity(deps, COUNTRY)
    await create({ ...DE, capital: 'Berlin' })
    const query = [{ field: 'capital', operator: 'eq', value: 'Berlin' }]
    const { body } = await send(search, 'POST', '/search', { body: { query } })
    expect(body.data).toHaveLength(1)
  })

  test('writes an audit row in the same transaction', async () => {
    await installTestEntity(deps, COUNTRY)
    await create(DE)
    await create(DE)
    expect(await auditRows()).toEqual([
      {
        action: 'records.create',
        type: 'Country',
        id: 'DE',
        details: { created: 1, updated: 0, unchanged: 0, failed: 0 },
      },
    ])
  })

  test.each([
    ['a missing required field', { code: 'DE' }, 400, [['name', 'is required']]],
    [
      'two bad fields',
      { code: 'de', name: 5 },
      400,
      [
        ['code', 'must match the pattern ^[A-Z]{2}$'],
        ['name', 'must be text'],
      ],
    ],
    [
      'text that cannot be stored',
      { ...DE, x: '\u0000' },
      400,
      [['x', 'holds text that the database cannot store (U+0000 or half of a surrogate pair)']],
    ],
    ['a list', [DE], 400, [['', 'must be an object with the fields of a record']]],
    ['a taken key', FR, 409, [['code', 'The key "code" = "FR" exists already']]],
    [
      'a taken unique value',
      { ...DE, iso: '250' },
      409,
      [['iso', '"iso" must be unique: "250" exists already']],
    ],
  ])('refuses %s', async (_, record, status, validations) => {
    await installTestEntity(deps, COUNTRY, [FR])
    const response = await create(record)
    expect(response.status).toBe(status)
    expect(response.body.data).toEqual([])
    expect(response.body.validations).toEqual(
      validations.map(([field, error]) => ({ field, error })),
    )
    expect(await read('DE')).toBeUndefined()
  })

  test('names a reference to nothing', async () => {
    await installTestEntity(deps, COUNTRY, [FR])
    const reference = { entity: 'Country', field: 'code' }
    const properties = [{ name: 'country', type: 'string', reference }]
    await installTestEntity(deps, { entity: { name: 'City' }, schema: { properties } })
    const { status, body } = await create({ country: 'XX' }, 'City')
    expect(status).toBe(400)
    expect(body.validations).toEqual([
      { field: 'country', error: '"country" refers to "XX", which is not in Country' },
    ])
    expect((await create({ country: 'FR' }, 'City')).status).toBe(201)
    const deletion = await send(one, 'DELETE', '/FR')
    expect(deletion.status).toBe(409)
    expect(deletion.body.error).toContain('"City"')
  })

  test.each([
    ['Upsert', 200, { name: 'changed', people: 83 }],
    ['Ignore', 200, { name: 'Germany', people: 83 }],
  ])(
    'on a taken key does what insertDuplicate %s says',
    async (insertDuplicate, status, expected) => {
      await installTestEntity(
        deps,
        { ...COUNTRY, entity: { ...COUNTRY.entity, insertDuplicate } },
        [DE],
      )
      const response = await create({ code: 'DE', name: 'changed' })
      expect(response.status).toBe(status)
      expect(response.body.data).toMatchObject([expected])
    },
  )

  test('two concurrent requests with one key: one wins, the other is 409', async () => {
    await installTestEntity(deps, COUNTRY)
    const statuses = (await Promise.all([create(DE), create(DE)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
  })
})

describe('creating many records', () => {
  test('returns them in order, with their generated keys', async () => {
    await installTestEntity(deps, { entity: { name: 'Note' } })
    const { status, body } = await createMany([{ a: 'x' }, { id: 7, a: 'y' }, { a: 'z' }], 'Note')
    expect(status).toBe(201)
    expect(body.meta).toEqual({ created: 3, updated: 0, unchanged: 0 })
    expect(body.data).toEqual([
      { id: 8, a: 'x', persistenceId: '8' },
      { id: 7, a: 'y', persistenceId: '7' },
      { id: 9, a: 'z', persistenceId: '9' },
    ])
  })

  test('takes { records } as well', async () => {
    await installTestEntity(deps, COUNTRY)
    expect((await createMany({ records: [DE, FR] })).body.data).toHaveLength(2)
  })

  test('names every bad record and stores none', async () => {
    await installTestEntity(deps, COUNTRY)
    const { status, body } = await createMany([DE, { code: 'FR' }, 5, { ...FR, people: -1 }])
    expect(status).toBe(400)
    expect(body.validations).toEqual([
      { field: 'records.1.name', error: 'is required' },
      { field: 'records.2', error: 'must be an object' },
      { field: 'records.3.people', error: 'must be at least 0' },
    ])
    expect(body.error).toBe('records.1.name: is required (and 2 more)')
    expect(await read('DE')).toBeUndefined()
  })

  test('names every conflict and stores none', async () => {
    await installTestEntity(deps, COUNTRY, [FR])
    const { status, body } = await createMany([DE, FR, { ...DE, code: 'AT' }])
    expect(status).toBe(409)
    expect(body.validations.map(({ field }: { field: string }) => field)).toEqual([
      'records.1.code',
      'records.2.iso',
    ])
    expect(await read('DE')).toBeUndefined()
  })

  test('says how many faults there are beyond the first 100', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body } = await createMany(Array(150).fill({ code: 'DE' }))
    expect(body.validations).toHaveLength(100)
    expect(body.meta).toEqual({ validationCount: 150 })
  })

  test.each([
    ['none', []],
    ['too many', Array(10_001).fill({})],
    ['one that is no list', DE],
    ['something else', 'text'],
  ])('refuses %s', async (_, body) => {
    await installTestEntity(deps, COUNTRY)
    const response = await createMany(typeof body === 'string' ? JSON.stringify(body) : body)
    expect([400, 415]).toContain(response.status)
  })

  test('takes 10,000', async () => {
    await installTestEntity(deps, { entity: { name: 'Note' } })
    const { status, body } = await createMany(Array(10_000).fill({ a: 1 }), 'Note')
    expect([status, body.data.length, body.data[9_999].id]).toEqual([201, 10_000, 10_000])
  })
})

describe('reading one record', () => {
  test('by a composite key', async () => {
    const pks = ['a', 'b'].map((key, n) => ({
      key,
      strategy: 'Fixed',
      type: n ? 'number' : 'string',
    }))
    await installTestEntity(deps, { entity: { name: 'Pair', pks } })
    const { body } = await create({ a: 'x/ü', b: 2, c: 3 }, 'Pair')
    const id = body.data[0].persistenceId
    expect(JSON.parse(Buffer.from(id, 'base64url').toString())).toEqual({ a: 'x/ü', b: 2 })
    expect(await read(id, 'Pair')).toEqual(body.data[0])
    const [swapped, partial] = [{ a: 'x/ü', b: 3 }, { a: 'x/ü' }].map((key) =>
      Buffer.from(JSON.stringify(key)).toString('base64url'),
    )
    for (const bad of ['x', swapped, partial, '%', 'bnVsbA'])
      expect(await read(bad as string, 'Pair')).toBeUndefined()
  })

  test.each([
    ['bigint', '9007199254740993'],
    ['decimal', '1.50'],
    ['date', '2024-02-29'],
    ['datetime', '2024-02-29T10:00:00.123Z'],
    ['string', "a b/'ü%?"],
  ])('by a key of type %s', async (type, key) => {
    const pks = [{ key: 'key', strategy: 'Fixed', type: 'string' }]
    await installTestEntity(deps, {
      entity: { name: 'Note', pks },
      schema: { properties: [{ name: 'key', type }] },
    })
    const { body } = await create({ key, a: 1 }, 'Note')
    const id = body.data[0].persistenceId
    const path = `/${encodeURIComponent(id)}`
    const found = await send(one, 'GET', path, { name: 'Note' })
    expect(found.status).toBe(200)
    expect(found.body.data[0].persistenceId).toBe(id)
    const changed = await send(one, 'PATCH', path, { name: 'Note', body: { a: 2 } })
    expect([changed.status, changed.body.data[0]?.a]).toEqual([200, 2])
    expect((await send(one, 'DELETE', path, { name: 'Note' })).status).toBe(200)
  })

  test.each(['missing', '1e999', "' or 1=1 --", '\u0000', '9'.repeat(400)])(
    'id %j is 404',
    async (id) => {
      await installTestEntity(deps, { entity: { name: 'Note' } }, [{ id: 1 }])
      await installTestEntity(deps, COUNTRY, [DE])
      for (const name of ['Note', 'Country'])
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
          const body = method === 'GET' || method === 'DELETE' ? undefined : DE
          const response = await send(one, method, `/${encodeURIComponent(id)}`, { name, body })
          expect([method, response.status]).toEqual([method, 404])
        }
    },
  )
})

describe('changing one record', () => {
  test('PATCH changes the given fields and keeps the others', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body: before } = await create({ ...DE, x: 1, y: 1 })
    const { status, body } = await send(one, 'PATCH', '/DE', {
      body: { name: 'D', iso: null, y: 2 },
    })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        ...before.data[0],
        ...{ name: 'D', iso: null, y: 2 },
        LastUpdatedAt: expect.any(String),
      },
    ])
    expect((await auditRows())[1]).toMatchObject({
      action: 'records.update',
      id: 'DE',
      details: { changed: { name: { before: 'Germany', after: 'D' } } },
    })
  })

  test.each([
    ['integer', '1', ['01', '+1', '1.0', ' 1', '1e0', '-1']],
    ['integer', '9007199254740993', ['9007199254740992', '+9007199254740993']],
    ['decimal', '1.50', ['1.5', '01.50', '+1.50', '1.500', '15e-1']],
    ['float', '0.5', ['.5', '0.50', '+0.5', '5e-1']],
  ])('of a key that is %s the record only has the id %s', async (type, id, others) => {
    const entity = { name: 'Thing', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] }
    const named = type === 'integer' ? 'bigint' : type
    await installTestEntity(deps, {
      entity,
      schema: {
        properties: [
          { name: 'id', type: named },
          { name: 'n', type: 'integer' },
        ],
      },
    })
    const made = await create({ id: type === 'float' ? Number(id) : id, n: 1 }, 'Thing')
    expect(made.body.data[0].persistenceId).toBe(id)
    for (const [method, body] of [['GET'], ['PATCH', { n: 2 }], ['DELETE']] as const) {
      for (const other of others) {
        const path = `/${encodeURIComponent(other)}`
        const response = await send(one, method, path, { body, name: 'Thing' })
        expect([method, other, response.status]).toEqual([method, other, 404])
      }
    }
    expect((await send(one, 'PATCH', `/${id}`, { body: { n: 2 }, name: 'Thing' })).status).toBe(200)
    expect((await read(id, 'Thing')).n).toBe(2)
    expect((await send(one, 'DELETE', `/${id}`, { name: 'Thing' })).status).toBe(200)
  })

  test('PATCH takes an undeclared field away that is null, and keeps nulls within others', async () => {
    await installTestEntity(deps, COUNTRY)
    await create({ ...DE, x: 1, y: 1, "it's": { z: null } })
    const { body } = await send(one, 'PATCH', '/DE', { body: { x: null, y: { a: null } } })
    expect(body.data[0]).toMatchObject({ ...DE, y: { a: null }, "it's": { z: null } })
    expect(body.data[0]).not.toHaveProperty('x')
    const { body: emptied } = await send(one, 'PATCH', '/DE', {
      body: { y: null, "it's": null, never: null },
    })
    const left = [...Object.keys(DE), 'since', 'persistenceId']
    const kept = ['CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']
    expect(Object.keys(emptied.data[0]).sort()).toEqual([...left, ...kept].sort())
  })

  test('PUT merges where the definition says Upsert, as it does by default', async () => {
    await installTestEntity(deps, COUNTRY, [DE])
    const { body } = await send(one, 'PUT', '/DE', { body: { name: 'D' } })
    expect(body.data).toMatchObject([{ code: 'DE', name: 'D', people: 83 }])
  })

  test('PUT replaces where the definition says Replace', async () => {
    const replacing = { ...COUNTRY, entity: { ...COUNTRY.entity, updateStrategy: 'Replace' } }
    await installTestEntity(deps, replacing, [{ ...DE, x: 1 }])
    const refused = await send(one, 'PUT', '/DE', { body: { people: 1 } })
    expect(refused.body.validations).toEqual([{ field: 'name', error: 'is required' }])
    const { body } = await send(one, 'PUT', '/DE', { body: { name: 'D' } })
    expect(body.data).toMatchObject([{ code: 'DE', name: 'D', people: null, iso: null }])
    expect(body.data[0]).not.toHaveProperty('x')
    const patched = await send(one, 'PATCH', '/DE', { body: { people: 1 } })
    expect(patched.body.data).toMatchObject([{ name: 'D', people: 1 }])
  })

  test('no fields change nothing', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body: before } = await create(DE)
    const { status, body } = await send(one, 'PATCH', '/DE', { body: {} })
    expect([status, body.data]).toEqual([200, before.data])
  })

  test('a record that was read can be sent back', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body } = await create({ ...DE, since: '1990-10-03', x: [1] })
    const again = await send(one, 'PUT', '/DE', { body: body.data[0] })
    expect(again.body.data).toEqual(body.data)
  })

  test.each([
    ['another key', { code: 'AT' }, 400, 'code'],
    ['a key of null', { code: null }, 400, 'code'],
    ['a bad field', { people: 'many' }, 400, 'people'],
    ['a required field of null', { name: null }, 400, 'name'],
    ['a taken unique value', { iso: '250' }, 409, 'iso'],
  ])('refuses %s', async (_, body, status, field) => {
    await installTestEntity(deps, COUNTRY, [DE, FR])
    for (const method of ['PUT', 'PATCH']) {
      const response = await send(one, method, '/DE', { body })
      expect(response.status).toBe(status)
      expect(response.body.validations).toMatchObject([{ field }])
    }
    expect(await read('DE')).toMatchObject(DE)
  })
})

describe('a change of a certain version', () => {
  test('succeeds for the ETag that was read, and only once', async () => {
    await installTestEntity(deps, COUNTRY, [DE])
    const etag = (await send(one, 'GET', '/DE')).headers.get('etag') as string
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    const more = { 'if-match': `"other", ${etag}` }
    const changes = ['a', 'b'].map((name) => send(one, 'PATCH', '/DE', { body: { name }, more }))
    const responses = await Promise.all(changes)
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
    const won = responses.find(({ status }) => status === 200)
    expect((await send(one, 'GET', '/DE')).headers.get('etag')).toBe(won?.headers.get('etag'))
    expect((await send(one, 'PUT', '/DE', { body: { name: 'c' }, more })).status).toBe(412)
    expect((await send(one, 'DELETE', '/DE', { more })).status).toBe(412)
    expect((await send(one, 'DELETE', '/DE', { more: { 'if-match': '*' } })).status).toBe(200)
  })
})

describe('changing many records by the keys they hold', () => {
  test('changes all, returns them in order', async () => {
    await installTestEntity(deps, COUNTRY, [DE, FR])
    const changes = [
      { code: 'FR', people: 68 },
      { code: 'DE', people: 83 },
    ]
    const { status, body } = await send(batch, 'PUT', '/batch', { body: changes })
    expect([status, body.meta]).toEqual([200, { updated: 1, unchanged: 1 }])
    expect(body.data).toMatchObject([{ ...FR, people: 68 }, DE])
  })

  test('one record by its key', async () => {
    await installTestEntity(deps, COUNTRY, [DE])
    const { body } = await send(entity, 'PUT', '', { body: { code: 'DE', people: 1 } })
    expect(body.data).toMatchObject([{ name: 'Germany', people: 1 }])
    const refused = await send(entity, 'PUT', '', { body: { people: 1 } })
    expect(refused.body.validations).toMatchObject([{ field: 'code' }])
    const missing = await send(entity, 'PUT', '', { body: FR })
    expect([missing.status, missing.body.error]).toEqual([
      404,
      'There is no Country with the key "FR"',
    ])
  })

  test.each([
    [
      'without a record',
      [{ code: 'DE', name: 'x' }, FR, { ...FR, code: 'IT' }],
      404,
      ['records.1', 'records.2'],
    ],
    ['without a key', [{ code: 'DE', name: 'x' }, { name: 'x' }], 400, ['records.1.code']],
    [
      'with a bad field',
      [
        { code: 'DE', name: 'x' },
        { code: 'DE', people: 'x' },
      ],
      400,
      ['records.1.people'],
    ],
    [
      'with a value that is given twice',
      [
        { code: 'DE', iso: '1' },
        { code: 'AT', iso: '1' },
      ],
      409,
      ['records.1.iso'],
    ],
  ])('names every record %s and changes none', async (_, body, status, fields) => {
    await installTestEntity(deps, COUNTRY, [DE, { code: 'AT', name: 'Austria' }])
    const response = await send(batch, 'PUT', '/batch', { body })
    expect(response.status).toBe(status)
    expect(response.body.validations.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect(await read('DE')).toMatchObject(DE)
  })
})

describe('deleting one record', () => {
  test('returns the number and keeps the others', async () => {
    await installTestEntity(deps, COUNTRY, [DE, FR])
    const { status, body } = await send(one, 'DELETE', '/DE')
    expect([status, body.data]).toEqual([200, [{ effected: 1 }]])
    expect((await send(one, 'DELETE', '/DE')).status).toBe(404)
    expect(await read('FR')).toMatchObject(FR)
    expect(await auditRows()).toMatchObject([{ action: 'records.delete', id: 'DE' }])
  })
})

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
      headers = {}
      expect((await send(routes, method, path, { body })).status).toBe(401)
      headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
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
    headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
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
    headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'], scopes)}` }
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
