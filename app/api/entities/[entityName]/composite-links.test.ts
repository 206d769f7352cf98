import { test as always, beforeAll, expect } from 'vitest'
import { currentDeps, testDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { PATCH } from './[id]/route'
import { POST as SEARCH } from './search/route'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const deps = currentDeps()
let headers: Record<string, string>

const key = (key: string, type: 'string' | 'number') => ({ key, strategy: 'Fixed', type })
const to = (entity: string, field: string, inverse: string) => ({
  reference: { entity, field, with: { house: 'house' }, inverse },
})
const idOf = (key: JsonObject) => Buffer.from(JSON.stringify(key)).toString('base64url')

const [A1, A2, B1] = [
  { house: 'A', number: 1 },
  { house: 'A', number: 2 },
  { house: 'B', number: 1 },
]

beforeAll(async () => {
  await testDeps()
  const define = (entity: object, properties: object[], records: JsonObject[] = []) =>
    installTestEntity(deps, { entity, schema: { properties } }, records)
  await define(
    { name: 'Room', pks: [key('house', 'string'), key('number', 'number')] },
    [],
    [A1, A2, B1],
  )
  const guests = ['A', 'B'].map((house) => ({ house, code: 'x' }))
  await define({ name: 'Guest', pks: [key('house', 'string'), key('code', 'string')] }, [], guests)
  const parts = [key('house', 'string'), key('room', 'number'), key('guest', 'string')]
  await define({ name: 'Stay', pks: parts, link: true }, [
    { name: 'room', type: 'integer', meta: to('Room', 'number', 'guests') },
    { name: 'guest', type: 'string', meta: to('Guest', 'code', 'rooms') },
    { name: 'nights', type: 'integer' },
  ])
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
})

const change = (entityName: string, id: JsonObject, body: object) =>
  call(deps, PATCH, {
    ...{ method: 'PATCH', path: '/', headers, body },
    params: { entityName, id: idOf(id) },
  })

/** The rooms of the guest in the house A. */
async function roomsOf(): Promise<unknown> {
  const query = [{ field: 'house', operator: 'eq', value: 'A' }]
  const expand = [{ relation: 'rooms', fields: ['house', 'number'] }]
  const { body } = await call(deps, SEARCH, {
    ...{ method: 'POST', path: '/', params: { entityName: 'Guest' }, headers },
    body: { query, expand },
  })
  return body.data[0].rooms
}

test('keys of several fields are objects of them, or ids', async () => {
  const guest = { house: 'A', code: 'x' }
  expect((await change('Guest', guest, { rooms: [A1, idOf(A2)] })).status).toBe(200)
  expect(await roomsOf()).toEqual([A1, A2])
  expect((await change('Room', A1, { guests: { remove: [idOf(guest)] } })).status).toBe(200)
  expect(await roomsOf()).toEqual([A2])
  expect((await change('Guest', guest, { rooms: [A1] })).status).toBe(200)
  expect(await roomsOf()).toEqual([A1])
})

test('a key with parts too few, too many, or another in common is refused at its place', async () => {
  const rooms = [{ house: 'A' }, { ...A1, floor: 2 }, 'A1', B1]
  const { status, body } = await change('Guest', { house: 'A', code: 'x' }, { rooms })
  expect(status).toBe(400)
  expect(body.validations).toEqual([
    { field: '/rooms/0', error: 'There is no Room {"house":"A"}' },
    { field: '/rooms/1', error: expect.stringContaining('"floor":2') },
    { field: '/rooms/2', error: 'There is no Room "A1"' },
    { field: '/rooms/3', error: 'Has another "house" than the record' },
  ])
})
