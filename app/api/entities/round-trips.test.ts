import { expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { countRoundTrips } from '@/lib/testing/count-round-trips'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey, testRequest } from '@/lib/testing/request'
import * as record from './[entityName]/[id]/route'
import * as batch from './[entityName]/batch/route'
import * as records from './[entityName]/route'

const deps = freshDeps()

const CITY = {
  entity: { name: 'City', auditable: true, updateStrategy: 'Replace' },
  schema: {
    properties: [
      { name: 'name', type: 'string', required: true, unique: true },
      { name: 'people', type: 'integer', min: 0 },
      { name: 'twin', type: 'bigint', reference: { entity: 'City', field: 'id' } },
    ],
  },
}
const NAMED = {
  ...CITY,
  entity: { ...CITY.entity, pks: [{ key: 'id', strategy: 'UUID', type: 'string' }] },
  schema: { properties: CITY.schema.properties.slice(0, 2) },
}

/** Sends a request with a credential that is known already; the round trips that it took. */
async function caller(definition: typeof CITY | typeof NAMED) {
  await installTestEntity(deps, definition)
  const headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  return async (
    handler: Handler,
    method: string,
    { id, body }: { id?: string; body?: unknown },
  ) => {
    const path = `/api/entities/City${id === undefined ? '' : `/${id}`}`
    const request = () => testRequest(deps, { method, path, body, headers })
    const params = { entityName: 'City', ...(id === undefined ? {} : { id }) }
    let response = new Response()
    const trips = await countRoundTrips(deps, async () => {
      response = await handler(await request(), { params: Promise.resolve(params) })
    })
    const { data, error } = await response.json()
    return { trips, status: response.status, data, error }
  }
}

test.each([
  ['counted', CITY],
  ['made', NAMED],
])(
  'requests about one record with a key that is %s take few round trips',
  async (_, definition) => {
    const send = await caller(definition)
    const create = (body: object) => send(records.POST, 'POST', { body })
    const { data, error } = await create({ name: 'Ulm' })
    expect(error).toBeUndefined()
    const id = String(data[0].id)
    expect(await create({ name: 'Bonn', people: 1 })).toMatchObject({ status: 201, trips: 1 })
    expect(await send(record.GET, 'GET', { id })).toMatchObject({ status: 200, trips: 1 })
    const change = { id, body: { people: 2 } }
    expect(await send(record.PATCH, 'PATCH', change)).toMatchObject({ status: 200, trips: 1 })
    expect(await send(record.PATCH, 'PATCH', change)).toMatchObject({ status: 200, trips: 1 })
    const whole = { id, body: { name: 'Wien' } }
    expect(await send(record.PUT, 'PUT', whole)).toMatchObject({ status: 200, trips: 1 })
    expect(await send(record.DELETE, 'DELETE', { id })).toMatchObject({ status: 200, trips: 1 })
  },
)

test('many new records are one statement too', async () => {
  const send = await caller(CITY)
  await send(records.POST, 'POST', { body: { name: 'first' } })
  const body = Array.from({ length: 500 }, (_, n) => ({ name: `City ${n}` }))
  const { trips, data } = await send(batch.POST, 'POST', { body })
  expect([trips, data.map(({ name }: { name: string }) => name)]).toEqual([
    1,
    body.map(({ name }) => name),
  ])
})

test('a deletion by conditions is one statement too, and several where it affects others', async () => {
  const send = await caller(CITY)
  await send(batch.POST, 'POST', { body: [{ name: 'Ulm' }, { name: 'Bonn' }, { name: 'Wien' }] })
  const named = (value: string) => ({
    body: { entity: 'City', query: [{ field: 'name', operator: 'eq', value }] },
  })
  const one = { status: 200, data: [{ effected: 1 }] }
  await send(batch.DELETE, 'DELETE', named('Wien'))
  expect(await send(batch.DELETE, 'DELETE', named('Ulm'))).toMatchObject({ ...one, trips: 1 })
  const [name, people, twin] = CITY.schema.properties
  const reference = { entity: 'City', field: 'id', onDelete: 'setNull' }
  const properties = [name, people, { ...twin, reference }]
  await installTestEntity(deps, { ...CITY, schema: { properties } })
  const { trips, ...linked } = await send(batch.DELETE, 'DELETE', named('Bonn'))
  expect(linked).toMatchObject(one)
  expect(trips).toBeGreaterThan(1)
})
