import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { POST as count } from '@/app/api/entities/[entityName]/count/route'
import { GET } from '@/app/api/entities/[entityName]/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import {
  type Model,
  type ModelCondition,
  type ModelSort,
  searchModel,
} from '@/lib/testing/search-model'
import type { Json, JsonObject } from '@/lib/values/json'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const key = (name: string, type: 'string' | 'number') => [{ key: name, strategy: 'Fixed', type }]
const to = (entity: string, field: string) => ({ reference: { entity, field } })

const countries: JsonObject[] = [
  { code: 'IT', name: 'Italy', size: 60, info: { a: 'x' }, motto: 'undeclared' },
  { code: 'it', name: 'italy', size: 6, info: { a: 5 } },
  { code: 'FR', name: null, size: 68, info: null },
  { code: 'XX', name: 'Nowhere 10', size: null, info: { a: null } },
]
const regions: JsonObject[] = [
  { id: 1, name: 'Lazio', country: 'IT' },
  { id: 2, name: 'lazio', country: 'it' },
  { id: 3, name: 'Région 2', country: 'FR' },
  { id: 4, name: 'Région 10', country: null },
  { id: 5, name: null, country: 'XX' },
]
const cities: JsonObject[] = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  name: index % 4 ? `City ${(index * 7) % 30}` : null,
  region: index % 7 ? ((index * 3) % 5) + 1 : null,
  twin: index > 9 && index % 3 ? (index * 5) % 10 || null : null,
}))

const byKey = (list: JsonObject[], name: string, value: Json | undefined) =>
  value === null ? null : (list.find((one) => one[name] === value) ?? null)
const fullRegion = (id: Json | undefined): JsonObject | null => {
  const region = byKey(regions, 'id', id)
  return region && { ...region, country: byKey(countries, 'code', region.country) }
}
/** Cities with what they refer to in them, as a path sees it. */
const full = (city: JsonObject): JsonObject => {
  const twin = byKey(cities, 'id', city.twin)
  return { ...city, region: fullRegion(city.region), twin: twin && full(twin) }
}
const kinds: Model['kinds'] = {
  id: 'number',
  name: 'text',
  'region.name': 'text',
  'region.id': 'number',
  'region.country.code': 'text',
  'region.country.name': 'text',
  'region.country.size': 'number',
  'region.country.info': 'json',
  'region.country.info.a': 'json',
  'region.country.motto': 'json',
  'twin.name': 'text',
  'twin.region.country.name': 'text',
}
const model: Model = { kinds, key: 'id', records: cities.map(full) }

beforeAll(async () => {
  await testDeps()
  const install = (entity: object, properties: object[], records: object[]) =>
    installTestEntity(deps, { entity, schema: { properties } }, records)
  await install(
    { name: 'Country', pks: key('code', 'string') },
    [
      { name: 'name', type: 'string' },
      { name: 'size', type: 'integer' },
      { name: 'info', type: 'json' },
    ],
    countries,
  )
  const country = { name: 'country', type: 'string', meta: to('Country', 'code') }
  await install(
    { name: 'Region', pks: key('id', 'number') },
    [{ name: 'name', type: 'string' }, country],
    regions,
  )
  await install(
    { name: 'City', pks: key('id', 'number') },
    [
      { name: 'name', type: 'string', indexed: true },
      { name: 'region', type: 'integer', meta: to('Region', 'id') },
      { name: 'twin', type: 'integer', meta: to('City', 'id') },
      { name: 'notes', type: 'json' },
      { name: 'lost', type: 'integer', meta: to('Absent', 'id') },
      { name: 'unclear', type: 'string', meta: to('Country', 'name') },
      { name: 'hidden', type: 'integer', meta: to('Closed', 'id') },
    ],
    cities,
  )
  const permissions = { read: false, write: true, update: true, delete: true }
  await install({ name: 'Closed', permissions }, [{ name: 'name', type: 'string' }], [])
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const params = { entityName: 'City' }
const ask = (body: object, given = headers) =>
  call(deps, POST, { method: 'POST', path: '/', params, headers: given, body })
const get = (query: string) => call(deps, GET, { path: `/x?${query}`, params, headers })

const values: Record<string, Json[]> = {
  number: [1, 3, 6, 60, 68, 12],
  text: ['Italy', 'italy', 'lazio', 'IT', 'City 7', 'Région 2', '', 'Nowhere 9'],
  json: ['x', 5, '5', 'undeclared'],
}
const testOf = fc.constantFrom(...Object.keys(kinds)).chain((field) => {
  const of = fc.constantFrom(...(values[kinds[field] as string] as Json[]))
  return fc.oneof(
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom('eq', 'ne', 'gt', 'lte'),
      value: of,
    }),
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom('in', 'nin'),
      value: fc.array(of, { maxLength: 3 }),
    }),
    fc.record({ field: fc.constant(field), operator: fc.constantFrom('isnull', 'notnull') }),
  )
})
const condition: fc.Arbitrary<ModelCondition> = fc.oneof(
  testOf,
  fc.record({
    operator: fc.constantFrom('not', 'or', 'and'),
    filters: fc.array(testOf, { minLength: 1, maxLength: 3 }),
  }),
)
const sorting: fc.Arbitrary<ModelSort[]> = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(...Object.keys(kinds)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: ({ field }) => field },
)

const valueAt = (record: Json, path: string): Json =>
  path
    .split('.')
    .reduce((value: Json, name) => (value as JsonObject | null)?.[name] ?? null, record)

test('conditions, sorts, fields, counts and cursors beyond references follow the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { maxLength: 2 }),
      sorting,
      fc.integer({ min: 4, max: 40 }),
      fc.uniqueArray(fc.constantFrom(...Object.keys(kinds)), { minLength: 1, maxLength: 4 }),
      async (query, sort, size, fields) => {
        const found = searchModel(model, query, sort)
        const expected = found.map((record) =>
          Object.fromEntries(fields.map((field) => [field, valueAt(record, field)])),
        )
        const data: Json[] = []
        let cursor: string | undefined
        do {
          const { body } = await ask({ query, sort, fields, pagination: { size, cursor } })
          if (!cursor) expect(body.pagination.total).toBe(found.length)
          data.push(...body.data)
          cursor = body.pagination.next
        } while (cursor !== undefined)
        expect(data).toEqual(expected)
        const counted = await call(deps, count, {
          ...{ method: 'POST', path: '/', params, headers },
          body: { query },
        })
        expect(counted.body.data).toEqual([{ count: found.length }])
      },
    ),
    { numRuns: 200 },
  )
}, 300_000)

describe('expand', () => {
  test('puts the referred record, or null, in place of its key', async () => {
    const { body } = await ask({ expand: ['region'], pagination: { size: 1000 } })
    for (const record of body.data as JsonObject[]) {
      const region = byKey(regions, 'id', cities[Number(record.id) - 1]?.region)
      expect(record.region).toEqual(region && { ...region, persistenceId: String(region.id) })
    }
  })

  test('continues from the referred record, three deep, and back to the same entity', async () => {
    const expand = ['twin.region.country', 'region.country', 'region']
    const { body } = await ask({ expand, pagination: { size: 1000 }, sort: [{ field: 'name' }] })
    const withIds = (record: Json, id: string): Json =>
      record && { ...(record as JsonObject), persistenceId: String((record as JsonObject)[id]) }
    const region = (id: Json | undefined): Json => {
      const found = fullRegion(id)
      const country = found && withIds(found.country ?? null, 'code')
      return found && withIds({ ...found, country: country && strip(country) }, 'id')
    }
    for (const record of body.data as JsonObject[]) {
      const city = cities[Number(record.id) - 1] as JsonObject
      const twin = byKey(cities, 'id', city.twin)
      expect(strip(record.region ?? null)).toEqual(region(city.region))
      expect((record.twin as JsonObject | null)?.region ?? null).toEqual(
        twin ? region(twin.region) : null,
      )
      expect((record.twin as JsonObject | null)?.twin ?? null).toEqual(twin?.twin ?? null)
    }
  })

  test('by URL returns the same, also on a deep page, and can be combined with fields', async () => {
    const fields = 'id,region.country.name'
    const byUrl = await get(`fields=${fields}&expand=region&size=3&page=2&sort=region.name:desc`)
    const byBody = await ask({
      fields: fields.split(','),
      expand: ['region'],
      pagination: { size: 3, page: 2 },
      sort: [{ field: 'region.name', direction: 'desc' }],
    })
    expect(byUrl.body.data).toEqual(byBody.body.data)
    expect(Object.keys(byUrl.body.data[0])).toEqual(['id', 'region', 'region.country.name'])
    expect(byUrl.body.data[0].region).toMatchObject({ name: expect.any(String) })
  })

  const strip = (record: Json): Json => record && { ...(record as JsonObject) }
})

test('deep pages in an order beyond a reference are its continuation', async () => {
  await deps.db.execute(sql`
    insert into entities.city (id, name, region)
    select n, 'Deep', n % 5 + 1 from generate_series(2001, 3300) as n`)
  const sort = [{ field: 'region.name', direction: 'desc' }]
  const query = [{ field: 'name', operator: 'eq', value: 'Deep' }]
  const page = (number: number, size: number) =>
    ask({ query, sort, fields: ['id', 'region.name'], pagination: { page: number, size } })
  const all = [...(await page(0, 1000)).body.data, ...(await page(1, 1000)).body.data]
  expect(all).toHaveLength(1300)
  expect((await page(12, 100)).body.data).toEqual(all.slice(1200))
  expect((await page(5, 100)).body.data).toEqual(all.slice(500, 600))
  await deps.db.execute(sql`delete from entities.city where id > 2000`)
})

test('records are grouped by what they refer to', async () => {
  const { body } = await ask({
    groupBy: {
      fields: ['region.country.code'],
      aggregate: [{ function: 'SUM', field: 'region.country.size', alias: 'sum' }],
    },
  })
  const inItaly = model.records.filter((one) => valueAt(one, 'region.country.code') === 'IT')
  expect(body.data).toContainEqual({ 'region.country.code': 'IT', sum: 60 * inItaly.length })
})

describe('refused is', () => {
  test.each([
    ['an unknown field', 'region.nmae', 'did you mean "region.name"?'],
    ['an unknown field further on', 'region.country.nam', 'did you mean "region.country.name"?'],
    ['a path beyond a field that is no reference', 'name.first', 'neither JSON nor a reference'],
    ['more than three references', 'twin.twin.twin.region.name', '3 references'],
    ['an entity that is not installed', 'lost.name', 'Absent is not installed'],
    ['a reference to many', 'unclear.size', 'Country.name is not unique'],
    ['an empty name', 'region.', 'Unknown field "region."'],
  ])('%s', async (_, path, message) => {
    for (const body of [
      { fields: [path] },
      { sort: [{ field: path }] },
      { query: [{ field: path, operator: 'isnull' }] },
    ]) {
      const response = await ask(body)
      expect(response.status).toBe(400)
      expect(response.body.error).toContain(message)
    }
  })

  test.each([
    ['a field that refers to nothing', 'name', 'refers to no other entity'],
    ['JSON', 'notes', 'refers to no other entity'],
    ['an unknown field', 'regoin', 'did you mean "region"?'],
    ['an unknown field further on', 'region.contry', 'did you mean "region.country"?'],
    ['more than three references', 'twin.twin.twin.twin', '3 references'],
    ['an entity that is not installed', 'lost', 'Absent is not installed'],
  ])('expanding %s', async (_, path, message) => {
    const response = await ask({ expand: [path] })
    expect(response.status).toBe(400)
    expect(response.body.validations).toEqual([
      { field: 'expand.0', error: expect.stringContaining(message) },
    ])
    expect((await get(`expand=${path}`)).status).toBe(400)
  })

  test('an entity closed to reading, and one the reader has no right to', async () => {
    const scoped = { authorization: `Bearer ${await testKey(deps, ['VIEWER'], ['City:read'])}` }
    expect((await ask({}, scoped)).status).toBe(200)
    for (const [path, given] of [
      ['hidden', headers],
      ['region', scoped],
    ] as const) {
      for (const body of [
        { expand: [path] },
        { fields: [`${path}.name`] },
        { sort: [{ field: `${path}.name` }] },
        { query: [{ field: `${path}.name`, operator: 'isnull' }] },
      ])
        expect((await ask(body, given)).status).toBe(403)
    }
  })

  test('a condition beyond a reference that a deletion is asked by', async () => {
    const { deleteBatch } = await import('@/lib/records/delete-batch')
    const input = {
      ...{ entityName: 'City', dryRun: true, requestId: 'x', conditionsName: 'query' as const },
      conditions: [{ field: 'region.name', operator: 'eq', value: 'Lazio' }],
      actor: {
        type: 'user',
        id: '',
        name: '',
        userId: '',
        roles: ['ADMIN'],
        scopes: null,
      } as never,
    }
    await expect(deleteBatch(deps, input)).rejects.toThrow('References are not followed here')
  })
})

test('an undeclared field of the name wins over a path', async () => {
  const properties = [{ name: 'place', type: 'string', meta: to('Country', 'code') }]
  const records = [{ id: 1, place: 'IT', 'place.name': 'its own' }]
  await installTestEntity(deps, { entity: { name: 'Spot' }, schema: { properties } }, records)
  const response = await call(deps, POST, {
    ...{ method: 'POST', path: '/', params: { entityName: 'Spot' }, headers },
    body: { fields: ['place.name', 'place.size'] },
  })
  expect(response.body.data).toEqual([{ 'place.name': 'its own', 'place.size': 60 }])
})
