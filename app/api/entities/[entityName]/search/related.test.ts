import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './route'
import { cities, deps, headers, regions, to } from './testing/cities'

const search = (entityName: string, body: object, sent = headers) =>
  call(deps, POST, { method: 'POST', path: '/', params: { entityName }, headers: sent, body })

/** The keys of what is found, in order. */
async function found(entity: string, query: object[], key = 'id'): Promise<unknown[]> {
  const sort = [{ field: key }]
  const { status, body } = await search(entity, { query, sort, pagination: { size: 1000 } })
  expect([status, body.error]).toEqual([200, undefined])
  const keys = (body.data as JsonObject[]).map((record) => record[key])
  expect(body.pagination.total).toBe(keys.length)
  return keys
}

const of = (field: string, operator: string, value?: unknown) => ({ field, operator, value })
const citiesOf = (region: JsonObject) => cities.filter((city) => city.region === region.id)
const regionsWith = (holds: (cities: JsonObject[]) => boolean) =>
  regions.filter((region) => holds(citiesOf(region))).map(({ id }) => id)
const isLate = ({ id }: JsonObject) => Number(id) > 55
const isNamed = ({ name }: JsonObject) => name === 'City 7'

describe.skipIf(testsOnCitus())('records are found by those that refer to them', () => {
  test('some, none and every one of which meets a condition', async () => {
    const late = (word: string) => [of(`CityByRegion.${word}.id`, 'gt', 55)]
    expect(await found('Region', late('some'))).toEqual(regionsWith((all) => all.some(isLate)))
    expect(await found('Region', late('none'))).toEqual(regionsWith((all) => !all.some(isLate)))
    const named = [of('CityByRegion.every.name', 'notnull')]
    expect(await found('Region', named)).toEqual(
      regionsWith((all) => all.every(({ name }) => name !== null)),
    )
  })

  test('of the same entity, which has columns of the same names', async () => {
    const twins = (id: unknown) => cities.filter(({ twin }) => twin === id)
    const expected = cities.filter(({ id }) => twins(id).some(isLate)).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(0)
    expect(await found('City', [of('CityByTwin.some.id', 'gt', 55)])).toEqual(expected)
    // Further on, and on from what is referred to.
    const deeper = [of('RegionByCountry.some.CityByRegion.some.id', 'gt', 58)]
    const hasLate = regions.filter((one) => citiesOf(one).some(({ id }) => Number(id) > 58))
    expect(await found('Country', deeper, 'code')).toEqual(
      [...new Set(hasLate.flatMap(({ country }) => country ?? []))].sort(),
    )
    const beside = [of('region.CityByRegion.some.name', 'eq', 'City 7')]
    const nice = new Set(regionsWith((all) => all.some(isNamed)))
    expect(await found('City', beside)).toEqual(
      cities.filter(({ region }) => nice.has(region as number)).map(({ id }) => id),
    )
  })

  test('one of which meets several conditions, inside others, or that are there at all', async () => {
    const filters = [of('id', 'gt', 30), of('name', 'eq', 'City 7')]
    const both = { field: 'CityByRegion', operator: 'some', filters }
    const one = (city: JsonObject) => Number(city.id) > 30 && isNamed(city)
    expect(await found('Region', [both])).toEqual(regionsWith((all) => all.some(one)))
    const apart = filters.map((test) => ({ ...test, field: `CityByRegion.some.${test.field}` }))
    expect(await found('Region', apart)).toEqual(
      regionsWith((all) => all.some(isNamed) && all.some(({ id }) => Number(id) > 30)),
    )
    const not = { operator: 'not', filters: [both] }
    expect(await found('Region', [not])).toEqual(regionsWith((all) => !all.some(one)))
    const any = { field: 'CityByTwin', operator: 'some' }
    const referred = new Set(cities.map(({ twin }) => twin))
    expect(await found('City', [any])).toEqual(
      cities.filter(({ id }) => referred.has(id as number)).map(({ id }) => id),
    )
  })

  test('and by how many they are, in order, on pages and with cursors', async () => {
    const count = 'CityByRegion.$count'
    expect(await found('Region', [of(count, 'gte', 11)])).toEqual(
      regionsWith((all) => all.length >= 11),
    )
    const sort = [{ field: count, direction: 'desc' }]
    const wanted = regions.map((region) => ({ id: region.id, [count]: citiesOf(region).length }))
    wanted.sort((a, b) => Number(b[count]) - Number(a[count]) || Number(b.id) - Number(a.id))
    const data: unknown[] = []
    let cursor: string | undefined
    do {
      const body = { fields: ['id', count], sort, pagination: { size: 2, cursor } }
      const page = (await search('Region', body)).body
      data.push(...page.data)
      cursor = page.pagination.next
    } while (cursor !== undefined)
    expect(data).toEqual(wanted)
  })

  test('and by the sum of a field of theirs, also beyond references, with the same answers after a change', async () => {
    const sum = 'CityByRegion.$sum.id'
    const beyond = 'CityByRegion.$sum.twin.id'
    const add = (values: unknown[]) => {
      const numbers = values.filter((value) => typeof value === 'number')
      return numbers.length === 0 ? null : numbers.reduce((all, value) => all + value, 0)
    }
    const sumsOf = (region: JsonObject, name: string) =>
      add(citiesOf(region).map((city) => city[name]))
    const body = { fields: ['id', sum, beyond], sort: [{ field: sum, direction: 'desc' }] }
    const read = async () => (await search('Region', body)).body.data
    const wanted = regions
      .map((region) => ({
        ...{ id: region.id, [sum]: sumsOf(region, 'id'), [beyond]: sumsOf(region, 'twin') },
      }))
      .sort((a, b) => Number(b[sum]) - Number(a[sum]))
    expect(await read()).toEqual(wanted)
    const [most] = wanted
    expect(await found('Region', [of(sum, 'gte', most?.[sum])])).toEqual([most?.id])
    expect(await found('Region', [of('CityByRegion.$sum.id', 'lt', 0)])).toEqual([])
    await deps.db.execute(sql`update entities.city set twin = null`)
    expect((await read()).map((region: JsonObject) => region[beyond])).toEqual(
      regions.map(() => null),
    )
  })

  test('by URL, and counted, with the same answers after a change of either', async () => {
    const query = [of('CityByRegion.some.name', 'eq', 'Changed')]
    const sorted = { sort: [{ field: 'CityByRegion.$count', direction: 'desc' as const }] }
    const most = async () => (await search('Region', sorted)).body.data[0].id
    for (let read = 0; read < 3; read++) expect(await found('Region', query)).toEqual([])
    const [before] = [await most(), await most(), await most()]
    await deps.db.execute(sql`update entities.city set name = 'Changed' where id = 2`)
    const [region] = regionsWith((all) => all.some(({ id }) => id === 2))
    expect(await found('Region', query)).toEqual([region])
    await deps.db.execute(sql`update entities.city set region = 4 where region = ${before}`)
    expect(await most()).toBe(4)
  })
})

describe.skipIf(testsOnCitus())('refused is', () => {
  test.each([
    ['a relation alone', of('CityByRegion', 'eq', 1), 'go on with CityByRegion.some'],
    ['an unknown word', of('CityByRegion.sone.id', 'eq', 1), 'did you mean'],
    ['an unknown field', of('CityByRegion.some.nmae', 'eq', 1), 'CityByRegion.some.name'],
    ['an unknown relation', of('CityByRegoin.some.id', 'eq', 1), 'Unknown field'],
    ['a value of another type', of('CityByRegion.some.id', 'eq', 'x'), 'CityByRegion.some.id'],
    ['a sum of texts', of('CityByRegion.$sum.name', 'gt', 1), '$sum does not suit'],
    ['a sum of no field', of('CityByRegion.$sum', 'gt', 1), 'Unknown field'],
    ['every one without a condition', of('CityByRegion', 'every'), 'at least one condition'],
    ['a key that is unknown', { ...of('CityByRegion', 'some'), x: 1 }, 'Unknown'],
  ])('%s', async (_, condition, message) => {
    const { status, body } = await search('Region', { query: [condition] })
    expect(status).toBe(400)
    expect(JSON.stringify(body.validations)).toContain(message)
  })

  test('more than three steps, several records where one is meant, and a deletion by them', async () => {
    const far = 'RegionByCountry.some.CityByRegion.some.CityByTwin.some.CityByTwin.some.id'
    const refused = await search('Country', { query: [of(far, 'gt', 0)] })
    expect(refused.body.error).toContain('3 references')
    for (const body of [
      { sort: [{ field: 'CityByRegion.some.id' }] },
      { fields: ['CityByRegion'] },
    ])
      expect((await search('Region', body)).status).toBe(400)
  })

  test('what the reader may not read: it is as if there were no such relation', async () => {
    const scoped = { authorization: `Bearer ${await testKey(deps, ['VIEWER'], ['Region:read'])}` }
    const unknown = await search('Region', { query: [of('Nothing.some.id', 'eq', 1)] }, scoped)
    const hidden = await search('Region', { query: [of('CityByRegion.some.id', 'eq', 1)] }, scoped)
    expect(unknown.status).toBe(400)
    expect([hidden.status, hidden.body.error]).toEqual([
      400,
      unknown.body.error.replace('Nothing', 'CityByRegion'),
    ])
  })
})

test('the columns of an entity list the relations, on one server', async () => {
  const { GET } = await import('../columns/route')
  const { body } = await call(deps, GET, { path: '/', params: { entityName: 'Region' }, headers })
  const city = (body.meta.referencedBy as JsonObject[]).find(({ entity }) => entity === 'City')
  expect([city?.field, city?.relation]).toEqual([
    'region',
    testsOnCitus() ? undefined : 'CityByRegion',
  ])
  const country = await call(deps, GET, { path: '/', params: { entityName: 'Country' }, headers })
  const unclear = (country.body.meta.referencedBy as JsonObject[]).find(
    ({ field }) => field === 'unclear',
  )
  expect(unclear).not.toHaveProperty('relation')
})

test.skipIf(testsOnCitus())('a reference gives its other direction a name', async () => {
  const reference = { ...to('Region', 'id').reference, inverse: 'shops' }
  const properties = [{ name: 'region', type: 'integer', meta: { reference } }]
  await installTestEntity(deps, { entity: { name: 'Shop' }, schema: { properties } }, [
    { id: 1, region: 3 },
  ])
  expect(await found('Region', [{ field: 'shops', operator: 'some' }])).toEqual([3])
  const { status } = await search('Region', { query: [of('ShopByRegion.$count', 'eq', 1)] })
  expect(status).toBe(400)
  // Two of the same name, and that of a field, are told apart by the long names.
  await installTestEntity(deps, {
    entity: { name: 'Stall' },
    schema: {
      properties: [
        { name: 'region', type: 'integer', meta: { reference } },
        { name: 'other', type: 'integer', meta: { reference: { ...reference, inverse: 'name' } } },
      ],
    },
  })
  for (const name of ['ShopByRegion', 'StallByRegion', 'StallByOther'])
    expect((await search('Region', { fields: ['id', `${name}.$count`] })).status).toBe(200)
  expect((await search('Region', { query: [{ field: 'shops', operator: 'some' }] })).status).toBe(
    400,
  )
})

test.skipIf(testsOnCitus())(
  'sums of floating-point numbers are decimal, and have no largest one',
  async () => {
    const properties = [
      { name: 'region', type: 'integer', meta: to('Region', 'id') },
      { name: 'paid', type: 'double' },
    ]
    await installTestEntity(deps, { entity: { name: 'Bill' }, schema: { properties } }, [
      { id: 1, region: 3, paid: 1e308 },
      { id: 2, region: 3, paid: 1e308 },
      { id: 3, region: 4, paid: 0.1 },
      { id: 4, region: 4, paid: 0.2 },
    ])
    const sum = 'BillByRegion.$sum.paid'
    const body = { fields: ['id', sum], sort: [{ field: sum, direction: 'desc' }] }
    const { data } = (await search('Region', { ...body, query: [of(sum, 'gt', 0)] })).body
    expect(data).toEqual([
      { id: 3, [sum]: Number.POSITIVE_INFINITY },
      { id: 4, [sum]: 0.3 },
    ])
    expect(await found('Region', [of(sum, 'eq', 0.3)])).toEqual([4])
  },
)

test.runIf(testsOnCitus())(
  'records on the nodes of a cluster have no other direction',
  async () => {
    for (const body of [
      { query: [of('CityByRegion.some.id', 'gt', 55)] },
      { sort: [{ field: 'CityByRegion.$count' }] },
      { expand: ['CityByRegion'] },
    ]) {
      const { status, body: answer } = await search('Region', body)
      expect([status, answer.error]).toEqual([400, expect.stringContaining('nodes of a cluster')])
    }
  },
)
