import { beforeAll } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Model } from '@/lib/testing/search-model'
import type { Json, JsonObject } from '@/lib/values/json'
import { POST } from '../route'

export const deps = currentDeps()

export let headers: Record<string, string>

const key = (name: string, type: 'string' | 'number') => [{ key: name, strategy: 'Fixed', type }]
export const to = (entity: string, field: string) => ({ reference: { entity, field } })

const countries: JsonObject[] = [
  { code: 'IT', name: 'Italy', size: 60, info: { a: 'x' }, motto: 'undeclared' },
  { code: 'it', name: 'italy', size: 6, info: { a: 5 } },
  { code: 'FR', name: null, size: 68, info: null },
  { code: 'XX', name: 'Nowhere 10', size: null, info: { a: null } },
]
export const regions: JsonObject[] = [
  { id: 1, name: 'Lazio', country: 'IT' },
  { id: 2, name: 'lazio', country: 'it' },
  { id: 3, name: 'Région 2', country: 'FR' },
  { id: 4, name: 'Région 10', country: null },
  { id: 5, name: null, country: 'XX' },
]
export const cities: JsonObject[] = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  name: index % 4 ? `City ${(index * 7) % 30}` : null,
  region: index % 7 ? ((index * 3) % 5) + 1 : null,
  twin: index > 9 && index % 3 ? (index * 5) % 10 || null : null,
}))

export const byKey = (list: JsonObject[], name: string, value: Json | undefined) =>
  value === null ? null : (list.find((one) => one[name] === value) ?? null)
export const fullRegion = (id: Json | undefined): JsonObject | null => {
  const region = byKey(regions, 'id', id)
  return region && { ...region, country: byKey(countries, 'code', region.country) }
}
/** Cities with what they refer to in them, as a path sees it. */
const full = (city: JsonObject): JsonObject => {
  const twin = byKey(cities, 'id', city.twin)
  return { ...city, region: fullRegion(city.region), twin: twin && full(twin) }
}
export const kinds: Model['kinds'] = {
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
  'CityByTwin.$count': 'number',
  'CityByTwin.$sum.id': 'number',
  'partners.$count': 'number',
  'partners.$sum.twin.id': 'number',
  'twin.partners.$sum.id': 'number',
  'region.CityByRegion.$count': 'number',
  'region.CityByRegion.$sum.twin.id': 'number',
}
const having = (field: string, value: Json | undefined) =>
  cities.filter((city) => value !== undefined && value !== null && city[field] === value)
/** Null where there are no numbers, as for SQL. */
function sumOf(values: (Json | undefined)[]): number | null {
  const numbers = values.filter((value) => typeof value === 'number')
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0)
}
/** Cities linked to cities, themselves included; some links lead from or to nothing. */
const links: JsonObject[] = Array.from({ length: 90 }, (_, index) => ({
  city: index % 11 ? (index % 20) + 1 : null,
  partner: index % 13 ? ((index * 7) % 17) + 1 : null,
}))
const partnersOf = (id: Json | undefined): JsonObject[] =>
  links
    .filter(({ city }) => city !== null && city === id)
    .flatMap(({ partner }) => cities.filter((one) => partner !== null && one.id === partner))
const figuresOf = (list: JsonObject[]) => ({
  $count: list.length,
  $sum: { id: sumOf(list.map(({ id }) => id)), twin: { id: sumOf(list.map(({ twin }) => twin)) } },
})
/** With figures of the cities that refer to the city, and to its region. */
const counted = (city: JsonObject): JsonObject => {
  const region = city.region as JsonObject | null
  const others = having('region', region?.id)
  const $sum = { twin: { id: sumOf(others.map(({ twin }) => twin)) } }
  const CityByRegion = { $count: others.length, $sum }
  const twins = having('twin', city.id)
  const CityByTwin = { $count: twins.length, $sum: { id: sumOf(twins.map(({ id }) => id)) } }
  const partners = figuresOf(partnersOf(city.id))
  const twin = city.twin as JsonObject | null
  const linked = twin && { ...twin, partners: figuresOf(partnersOf(twin.id)) }
  return {
    ...city,
    CityByTwin,
    partners,
    twin: linked,
    region: region && { ...region, CityByRegion },
  }
}
export const model: Model = {
  ...{ kinds, key: 'id', records: cities.map((city) => counted(full(city))) },
  related: {
    CityByTwin: {
      of: { kinds, key: 'id', records: [] },
      find: ({ id }) => having('twin', id).map((city) => counted(full(city))),
    },
    partners: {
      of: { kinds, key: 'id', records: [] },
      find: ({ id }) => partnersOf(id).map((city) => counted(full(city))),
    },
  },
}

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
  const linked = { reference: { entity: 'City', field: 'id' } }
  await install(
    { name: 'Partnership', link: true },
    [
      {
        name: 'city',
        type: 'integer',
        meta: { reference: { ...linked.reference, inverse: 'partners' } },
      },
      { name: 'partner', type: 'integer', meta: linked },
    ],
    links,
  )
  const permissions = { read: false, write: true, update: true, delete: true }
  await install({ name: 'Closed', permissions }, [{ name: 'name', type: 'string' }], [])
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

export const params = { entityName: 'City' }
export const ask = (body: object, input = headers) =>
  call(deps, POST, { method: 'POST', path: '/', params, headers: input, body })
export const get = (query: string) => call(deps, GET, { path: `/x?${query}`, params, headers })

export const valueAt = (record: Json, path: string): Json =>
  path
    .split('.')
    .reduce((value: Json, name) => (value as JsonObject | null)?.[name] ?? null, record)
