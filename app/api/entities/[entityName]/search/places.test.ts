import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { findEntity } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { searchBody } from '@/lib/search/contract'
import { inputOfBody } from '@/lib/search/read-input'
import { resolveSearch } from '@/lib/search/resolve-search'
import { searchSql } from '@/lib/search/search-sql'
import { budget } from '@/lib/testing/budget'
import { currentDeps, testDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'
import { GET } from '../route'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

type Place = { lat: number; lon: number }

/** Poles, the 180th meridian from both sides, Greenwich, and others around. */
const EDGES: [lat: number, lon: number][] = [
  ...[-90, 90, 89.99, -89.5].flatMap((lat) => [0, 180, -37.5].map((lon) => [lat, lon] as const)),
  ...[-179.9, 179.9, -180, 180, 0, 0.001].flatMap((lon) =>
    [0, 65, -17.2].map((lat) => [lat, lon] as const),
  ),
].map(([lat, lon]) => [lat, lon])
const spread = Array.from({ length: 60 }, (_, at): [number, number] => [
  ((at * 37) % 181) - 90 + at / 100,
  ((at * 101) % 360) - 180 + at / 70,
])
const PLACES: (Place | null)[] = [
  { lat: 48.8584, lon: 2.2945 },
  { lat: 48.8606, lon: 2.3376 },
  { lat: 51.5007, lon: -0.1246 },
  null,
  ...[...EDGES, ...spread].map(([lat, lon]) => ({
    lat: Math.min(90, lat),
    lon: Math.min(180, lon),
  })),
]
const RECORDS = PLACES.map((place, at): JsonObject => ({ id: at + 1, name: `p${at + 1}`, place }))

beforeAll(async () => {
  await testDeps()
  const properties = [
    { name: 'name', type: 'string' },
    { name: 'place', type: 'location', meta: { indexed: true } },
  ]
  await installTestEntity(deps, { entity: { name: 'Spot' }, schema: { properties } }, RECORDS)
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
})

const post = (body: object, sent = headers) =>
  call(deps, POST, {
    method: 'POST',
    path: '/',
    params: { entityName: 'Spot' },
    headers: sent,
    body,
  })

const get = (query: Record<string, string>) =>
  call(deps, GET, {
    path: `/api/entities/Spot?${new URLSearchParams(query)}`,
    params: { entityName: 'Spot' },
    headers,
  })

const on = (operator: string, value?: Json) => ({
  field: 'place',
  operator,
  ...(value === undefined ? {} : { value }),
})

const faultOf = async (body: object, sent = headers) => {
  const { status, body: response } = await post(body, sent)
  expect(status).toBe(400)
  return response.validations[0].error as string
}

/** By vectors, so that nothing is shared with the formula of the product. */
function kmBetween(a: Place, b: Place): number {
  const [p, q] = [a, b].map(({ lat, lon }) => {
    const [phi, theta] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(theta), Math.cos(phi) * Math.sin(theta), Math.sin(phi)]
  }) as [[number, number, number], [number, number, number]]
  const cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
  return 6371.0088 * Math.atan2(Math.hypot(...cross), p[0] * q[0] + p[1] * q[1] + p[2] * q[2])
}

const isWithin = ({ lat, lon }: Place, [south, west, north, east]: number[]): boolean => {
  const isOn = (one: number) =>
    (west as number) <= (east as number)
      ? one >= (west as number) && one <= (east as number)
      : one >= (west as number) || one <= (east as number)
  return (
    lat >= (south as number) &&
    lat <= (north as number) &&
    (isOn(lon) || (Math.abs(lon) === 180 && isOn(-lon)))
  )
}

/** Metres, since the formula of the product is less exact near the other side of the earth. */
const ABOUT = 1e-3
const degrees = (most: number) =>
  fc.double({ min: -most, max: most, noNaN: true }).map((one) => (Math.abs(one) < 1e-12 ? 0 : one))
const latitude = fc.oneof(degrees(90), fc.constantFrom(-90, 0, 90, 89.99))
const longitude = fc.oneof(degrees(180), fc.constantFrom(-180, 180, 179.95, 0))
const distance = fc.oneof(
  fc.double({ min: 0.01, max: 20040, noNaN: true }),
  fc.constantFrom(5, 300, 10007, 20040),
)

type NearRecord = { id: number; 'place.$distance': number }

test('near finds what the model finds, by distance, on pages and after cursors', async () => {
  await fc.assert(
    fc.asyncProperty(latitude, longitude, distance, fc.boolean(), async (lat, lon, km, down) => {
      const query = [on('near', [lat, lon, km])]
      const sort = [{ field: 'place.$distance', direction: down ? 'desc' : 'asc' }]
      const asked = { query, sort, fields: ['id', 'place.$distance'] }
      const { status, body } = await post({ ...asked, pagination: { size: 1000 } })
      expect(status).toBe(200)
      const found = body.data as NearRecord[]
      const model = new Map(
        PLACES.flatMap((place, at) =>
          place ? [[at + 1, kmBetween({ lat, lon }, place)]] : [],
        ) as [number, number][],
      )
      const ids = new Set(found.map(({ id }) => id))
      for (const [id, away] of model) {
        if (away < km - ABOUT) expect(ids).toContain(id)
        if (away > km + ABOUT) expect(ids).not.toContain(id)
      }
      for (const { id, 'place.$distance': away } of found)
        expect(Math.abs(away - (model.get(id) ?? -1))).toBeLessThan(ABOUT)
      const ordered = [...found].sort((a, b) => {
        const order = a['place.$distance'] - b['place.$distance'] || a.id - b.id
        return down ? -order : order
      })
      expect(found).toEqual(ordered)
      const size = Math.max(1, Math.ceil(found.length / 3))
      const second = await post({ ...asked, pagination: { size, page: 1 } })
      expect(second.body.data).toEqual(found.slice(size, 2 * size))
      const first = await post({ ...asked, pagination: { size } })
      const { next } = first.body.pagination
      if (!next) return
      const after = await post({ ...asked, pagination: { size, cursor: next } })
      expect(after.body.data).toEqual(found.slice(size, 2 * size))
    }),
    budget(12, 7),
  )
})

test('within finds what the model finds', async () => {
  await fc.assert(
    fc.asyncProperty(latitude, latitude, longitude, longitude, async (a, b, west, east) => {
      const box = [Math.min(a, b), west, Math.max(a, b), east]
      const { body } = await post({
        query: [on('within', box)],
        sort: [{ field: 'id' }],
        fields: ['id'],
        pagination: { size: 1000 },
      })
      const expected = PLACES.flatMap((place, at) =>
        place && isWithin(place, box) ? [{ id: at + 1 }] : [],
      )
      expect(body.data).toEqual(expected)
    }),
    budget(25, 11),
  )
})

describe('a search for places', () => {
  test('has the same form in addresses', async () => {
    const filter = 'place:near:48.8584|2.2945|5'
    const { status, body } = await get({ filter, sort: 'place.$distance:desc', fields: 'id' })
    expect([status, body.data]).toEqual([200, [{ id: 2 }, { id: 1 }]])
    const boxed = await get({
      filter: 'place:within:48|2|49|3',
      sort: 'id',
      fields: 'id,place.lat',
    })
    expect(boxed.body.data).toEqual([
      { id: 1, 'place.lat': 48.8584 },
      { id: 2, 'place.lat': 48.8606 },
    ])
    const same = await get({ filter: 'place:eq:"48.8584, 2.2945"', fields: 'id' })
    expect(same.body.data).toEqual([{ id: 1 }])
    expect((await get({ filter: 'place:isnull', fields: 'id' })).body.data).toEqual([{ id: 4 }])
  })

  test('is not met by a record without a place, and its opposite is', async () => {
    const near = on('near', [0, 0, 20040])
    const all = await post({ query: [near], pagination: { size: 1 } })
    expect(all.body.pagination.total).toBe(PLACES.length - 1)
    const { body } = await post({ query: [{ operator: 'not', filters: [near] }], fields: ['id'] })
    expect(body.data).toEqual([{ id: 4 }])
  })

  test.each<[string, Json | undefined]>([
    ['near', [48, 2]],
    ['near', [48, 2, 0]],
    ['near', [48, 2, -1]],
    ['near', [48, 2, 20041]],
    ['near', [90.1, 2, 5]],
    ['near', [48, 180.5, 5]],
    ['near', ['NaN', 2, 5]],
    ['near', [48, 'Infinity', 5]],
    ['near', ['north', 2, 5]],
    ['near', [48, null, 5]],
    ['near', '48|2|5'],
    ['near', undefined],
    ['within', [49, 2, 48, 3]],
    ['within', [48, 2, 49]],
    ['within', [48, -181, 49, 3]],
  ])('is refused for %s %j, with the form', async (operator, value) => {
    expect(await faultOf({ query: [on(operator, value)] })).toMatch(
      operator === 'near' ? /takes lat\|lon\|km/ : /takes south\|west\|north\|east/,
    )
  })

  test('says what can’t be asked of locations, and what of them alone', async () => {
    expect(await faultOf({ query: [on('gt', 5)] })).toMatch(
      /"gt" does not suit "place", which is a location/,
    )
    expect(
      await faultOf({ query: [{ field: 'name', operator: 'near', value: [1, 2, 3] }] }),
    ).toMatch(/"near" does not suit "name"/)
    expect(await faultOf({ sort: [{ field: 'place' }] })).toMatch(
      /"place" has no order; sort by "place.\$distance"/,
    )
    const sort = [{ field: 'place.$distance' }]
    expect(await faultOf({ sort })).toMatch(/needs the condition "near" on "place"/)
    const either = { operator: 'or', filters: [on('near', [1, 2, 3]), on('isnull')] }
    expect(await faultOf({ sort, query: [either] })).toMatch(
      /needs the condition "near" on "place"/,
    )
    expect(await faultOf({ fields: ['name.$distance'] })).toMatch(/needs a location/)
    expect(
      await faultOf({ query: [{ field: 'place.$distance', operator: 'lt', value: 5 }] }),
    ).toMatch(/whose parts are "lat" and "lon"/)
  })

  test('takes what is hardly different from zero for zero', async () => {
    const { status, body } = await post({
      ...{ query: [on('near', [5e-324, -1e-200, 1])], fields: ['place', 'place.$distance'] },
    })
    expect(status).toBe(200)
    expect(body.data[0]).toEqual({ place: { lat: 0, lon: 0 }, 'place.$distance': 0 })
  })

  test('groups and counts equal places', async () => {
    const groupBy = { fields: ['place'], aggregate: [{ function: 'COUNT' }] }
    const { body } = await post({ groupBy, query: [on('within', [48, 2, 49, 3])] })
    expect(body.data).toEqual([
      { place: PLACES[0], count: 1 },
      { place: PLACES[1], count: 1 },
    ])
  })
})

// On a cluster, the nodes plan their shards by themselves.
test.skipIf(testsOnCitus())('an index serves both, also across the 180th meridian', async () => {
  const target = targetOf(await findEntity(deps, 'Spot'))
  for (const condition of [on('near', [65, 179.99, 50]), on('within', [-20, 170, 10, -170])]) {
    const resolved = resolveSearch(target, inputOfBody(searchBody.parse({ query: [condition] })))
    const plan = await deps.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      return rows<object>(tx, sql`explain ${searchSql(target, resolved).page}`)
    })
    expect(JSON.stringify(plan)).toMatch(/BitmapOr.*Bitmap Index Scan on \S+place/)
  }
})

test('a field that is hidden says nothing of its places', async () => {
  const define = async (policy: object) => {
    const base = {
      principals: ['Clerk'],
      actions: ['read'],
      entities: ['Spot'],
      name: crypto.randomUUID(),
    }
    const parsed = parsePolicy({ ...base, ...policy } as Json)
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
    await definePolicy(deps.db, parsed.definition, 'test')
  }
  await define({ fields: ['id', 'name'], where: [on('near', [48.8584, 2.2945, 5])] })
  const clerk = { authorization: `Bearer ${await testKey(deps, ['Clerk'])}` }
  const all = await post({ sort: [{ field: 'id' }] }, clerk)
  expect(all.body.data.map(({ id, place }: JsonObject) => [id, place])).toEqual([
    [1, undefined],
    [2, undefined],
  ])
  const near = on('near', [48.8584, 2.2945, 1])
  const unknown = /Unknown field "place/
  expect(await faultOf({ query: [near] }, clerk)).toMatch(unknown)
  expect(await faultOf({ query: [on('within', [48, 2, 49, 3])] }, clerk)).toMatch(unknown)
  // Nor from where the rule looks, which would be a secret of the policy.
  expect(await faultOf({ sort: [{ field: 'place.$distance' }] }, clerk)).toMatch(unknown)
  expect(await faultOf({ fields: ['id', 'place.$distance'] }, clerk)).toMatch(unknown)
})
