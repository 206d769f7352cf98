import { test as always, expect } from 'vitest'
import { GET as getRecord } from '@/app/api/entities/[entityName]/[id]/route'
import { GET } from '@/app/api/entities/[entityName]/route'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './route'
import { cities, deps, headers, regions } from './testing/cities'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const search = (entityName: string, body: object) =>
  call(deps, POST, { method: 'POST', path: '/', params: { entityName }, headers, body })
const byUrl = (entityName: string, query: string) =>
  call(deps, GET, { path: `/x?${query}`, params: { entityName }, headers })

const citiesOf = (id: unknown) => cities.filter(({ region }) => region === id)
const ids = (list: unknown) => (list as JsonObject[]).map(({ id }) => id)

test('the records that refer to one are listed, the first ten by their keys', async () => {
  const { body } = await search('Region', { expand: ['CityByRegion', 'country'] })
  for (const region of body.data as JsonObject[]) {
    const listed = region.CityByRegion as JsonObject[]
    const expected = citiesOf(region.id).slice(0, 10)
    expect(ids(listed)).toEqual(expected.map(({ id }) => id))
    for (const [at, city] of listed.entries())
      expect(city).toMatchObject({ ...expected[at], persistenceId: String(expected[at]?.id) })
    expect(region).toHaveProperty('name')
  }
  const first = regions.find(({ country }) => country === 'IT')
  expect(body.data[0].country).toMatchObject({ code: first?.country })
})

test('those that meet conditions, in an order, with some of their fields and lists of their own', async () => {
  const list = {
    relation: 'CityByRegion',
    fields: ['id', 'region.name'],
    query: [{ field: 'id', operator: 'gt', value: 20 }],
    sort: [
      { field: 'CityByTwin.$count', direction: 'desc' },
      { field: 'id', direction: 'desc' },
    ],
    limit: 3,
  }
  const inner = { relation: 'CityByRegion.CityByTwin', fields: ['id'], limit: 2 }
  const { status, body } = await search('Region', { fields: ['id'], expand: [list, inner] })
  expect([status, body.error]).toEqual([200, undefined])
  const twins = (id: unknown) => cities.filter(({ twin }) => twin === id)
  expect(body.data).toEqual(
    regions.map(({ id, name }) => {
      const found = citiesOf(id).filter((city) => Number(city.id) > 20)
      found.sort((a, b) => twins(b.id).length - twins(a.id).length || Number(b.id) - Number(a.id))
      const CityByRegion = found.slice(0, 3).map((city) => ({
        id: city.id,
        'region.name': name,
        CityByTwin: twins(city.id)
          .slice(0, 2)
          .map((twin) => ({ id: twin.id })),
      }))
      return { id, CityByRegion }
    }),
  )
  const text = [
    'CityByRegion(fields:id|region.name,limit:3,filter:id:gt:20,sort:CityByTwin.$count:desc|id:desc)',
    'CityByRegion.CityByTwin(limit:2,fields:id)',
  ]
  const same = await byUrl('Region', `fields=id&expand=${encodeURIComponent(text.join(','))}`)
  expect(same.body.data).toEqual(body.data)
})

test('other values of the same form, for one record, and of the same entity', async () => {
  const read = async (limit: number, over: number) => {
    const query = `expand=CityByTwin(fields:id,limit:${limit},filter:id:gt:${over})`
    const params = { entityName: 'City', id: '5' }
    const { status, body } = await call(deps, getRecord, { path: `/x?${query}`, params, headers })
    expect(status).toBe(200)
    return ids(body.data[0].CityByTwin)
  }
  const twins = cities.filter(({ twin }) => twin === 5).map(({ id }) => id as number)
  expect(twins.length).toBeGreaterThan(2)
  const [first = 0] = twins
  expect(await read(1000, 0)).toEqual(twins)
  expect(await read(1, 0)).toEqual([first])
  expect(await read(2, first)).toEqual(twins.slice(1, 3))
})

test.each([
  ['CityByRegion(limit:0)', 'expected a number from 1 to 1000'],
  ['CityByRegion(limt:1)', 'did you mean "limit"?'],
  ['CityByRegion(limit:1', 'expected ")"'],
  ['CityByRegion(fields:nmae)', 'Unknown field "nmae"'],
  ['CityByRegion(filter:id:gt)', 'expected ":" and a value'],
  ['CityByRegoin', 'did you mean "CityByRegion"?'],
  ['CityByRegion(filter:id:gt:5),CityByRegion(filter:id:lt:9)', 'is described twice'],
  ['country(limit:1)', 'only lists take more'],
  ['CityByRegion(limit:1000),CityByRegion.CityByTwin(limit:1000)', 'at most 10000'],
])('refused is %s', async (expand, message) => {
  const { status, body } = await byUrl('Region', `expand=${encodeURIComponent(expand)}`)
  expect(status).toBe(400)
  expect(body.error).toContain(message)
})
