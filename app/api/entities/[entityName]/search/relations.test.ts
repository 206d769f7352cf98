import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'
import { POST } from './route'
import {
  ask,
  byKey,
  cities,
  deps,
  fullRegion,
  get,
  headers,
  model,
  regions,
  to,
  valueAt,
} from './testing/cities'

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
    for (const [path, sent] of [
      ['hidden', headers],
      ['region', scoped],
    ] as const) {
      for (const body of [
        { expand: [path] },
        { fields: [`${path}.name`] },
        { sort: [{ field: `${path}.name` }] },
        { query: [{ field: `${path}.name`, operator: 'isnull' }] },
      ])
        expect((await ask(body, sent)).status).toBe(403)
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
