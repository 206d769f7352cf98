import { beforeAll, expect } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'
import { GET } from '../../route'
import { POST } from '../route'

export const deps = currentDeps()
let headers: Record<string, string>

export type Place = { lat: number; lon: number }

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
export const PLACES: (Place | null)[] = [
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

export const post = (body: object, sent = headers) =>
  call(deps, POST, {
    method: 'POST',
    path: '/',
    params: { entityName: 'Spot' },
    headers: sent,
    body,
  })

export const get = (query: Record<string, string>) =>
  call(deps, GET, {
    path: `/api/entities/Spot?${new URLSearchParams(query)}`,
    params: { entityName: 'Spot' },
    headers,
  })

export const on = (operator: string, value?: Json) => ({
  field: 'place',
  operator,
  ...(value === undefined ? {} : { value }),
})

export const faultOf = async (body: object, sent = headers) => {
  const { status, body: response } = await post(body, sent)
  expect(status).toBe(400)
  return response.validations[0].error as string
}
