import { readXlsx } from 'hucre/xlsx'
import { beforeEach, describe, expect, test } from 'vitest'
import { importsOfUser } from '@/app/api/imports/testing/imports-api'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey, testRequest } from '@/lib/testing/request'
import * as one from './[id]/route'
import * as batch from './batch/route'
import * as exporting from './export/route'
import * as entity from './route'
import * as search from './search/route'

const deps = freshDeps()
let headers: Record<string, string>

const TOWER = { lat: 48.8584, lon: 2.2945 }
const properties = [
  { name: 'name', type: 'string' },
  { name: 'place', type: 'location', meta: { indexed: true } },
  { name: 'other', type: 'Location', meta: { default: TOWER } },
]
const SPOT = { entity: { name: 'Spot' }, schema: { properties } }

beforeEach(async () => {
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
  await installTestEntity(deps, SPOT)
})

const send = (routes: object, method: string, body: unknown, id?: number) =>
  call(deps, (routes as Record<string, Handler>)[method] as Handler, {
    ...{ method, path: '/api/entities/Spot/x', body, headers },
    params: { entityName: 'Spot', ...(id === undefined ? {} : { id: String(id) }) },
  })

const places = async () => {
  const { body } = await send(search, 'POST', { sort: [{ field: 'id' }], fields: ['place'] })
  return body.data.map(({ place }: { place: unknown }) => place)
}

describe('a location', () => {
  test.each([
    [TOWER],
    [{ lon: -180, lat: -90 }],
    [{ lat: 0, lon: 180 }],
    [{ lat: 1e-7, lon: 48.858370099999995 }],
  ])('%j is stored and returned', async (place) => {
    const { status, body } = await send(entity, 'POST', { place })
    expect([status, body.data[0].place, body.data[0].other]).toEqual([201, place, TOWER])
    await send(one, 'PATCH', { place: { lat: 1, lon: 1 } }, 1)
    await send(one, 'PATCH', { place }, 1)
    expect((await send(one, 'GET', undefined, 1)).body.data[0].place).toEqual(place)
  })

  test('has the digits of a double, and one zero', async () => {
    const text = '{"place":{"lat":48.85837009999999999999999,"lon":-1e-200}}'
    const sent = { method: 'POST', path: '/api/entities/Spot', headers, body: text }
    const { body } = await call(deps, entity.POST as Handler, {
      ...{ ...sent, body: JSON.parse(text), params: { entityName: 'Spot' } },
    })
    expect(JSON.stringify(body.data[0].place)).toBe('{"lat":48.8583701,"lon":0}')
  })

  test.each([
    '48.8584, 2.2945',
    { lat: '48', lon: '2' },
    { lat: 90.5, lon: 0 },
    { lat: 0, lon: -180.5 },
    { lat: 1 },
    { lat: 1, lon: 2, height: 3 },
    { lat: null, lon: 2 },
    [48, 2],
    5,
  ])('is not %j', async (place) => {
    const { status, body } = await send(entity, 'POST', { place })
    expect(status).toBe(400)
    expect(body.validations).toEqual([
      {
        field: 'place',
        error: expect.stringMatching(
          /^must be a location such as \{ "lat": 48.8584, "lon": 2.2945 \}/,
        ),
      },
    ])
  })
})

describe('a definition with locations', () => {
  test.each([
    [{ unique: true }, /not allowed for the type location/],
    [{ reference: { entity: 'Spot', field: 'id' } }, /not allowed for the type location/],
    [{ searchable: true }, /A location has no words; "indexed": true/],
    [{ min: 1 }, /numbers only, not to location/],
    [{ default: { lat: 95, lon: 2 } }, /must be a location/],
  ])('is refused for %j', async (meta, reason) => {
    const schema = { properties: [{ name: 'place', type: 'location', meta }] }
    await expect(installTestEntity(deps, { entity: { name: 'Bad' }, schema })).rejects.toThrow(
      reason,
    )
  })

  test('is refused for an index over it, and for a key', async () => {
    const schema = {
      properties: [
        { name: 'id', type: 'location' },
        { name: 'place', type: 'location' },
      ],
    }
    const indexes = [{ fields: ['place'] }]
    const pks = [{ key: 'id', strategy: 'Fixed', type: 'string' }]
    const install = (more: object) =>
      installTestEntity(deps, { entity: { name: 'Bad', ...more }, schema })
    await expect(install({ pks })).rejects.toThrow(/id is location; Fixed needs/)
    await expect(
      install({ pks: [{ key: 'no', strategy: 'Fixed', type: 'string' }], indexes }),
    ).rejects.toThrow(/has no order; its property says "indexed": true/)
  })

  test('makes locations of objects that fit, and objects of locations', async () => {
    const as = (type: string, meta = {}) =>
      installTestEntity(deps, { ...SPOT, schema: { properties: [{ name: 'place', type, meta }] } })
    await as('object', { indexed: true })
    await send(batch, 'POST', [{ place: TOWER }, { place: null }])
    await as('location', { indexed: true })
    expect(await places()).toEqual([TOWER, null])
    await as('object', { indexed: true })
    await send(entity, 'POST', { place: { lat: 1 } })
    await expect(as('location')).rejects.toThrow(/place must be location/)
    expect(await places()).toEqual([TOWER, null, { lat: 1 }])
    await installTestEntity(deps, { ...SPOT, schema: { properties: [] } })
    await expect(as('location', { indexed: true })).rejects.toThrow(/place must be location/)
  })
})

describe('files with locations', () => {
  const exported = (format: string) => ({
    ...{ method: 'POST', path: `/api/entities/Spot/export?format=${format}`, headers },
    body: { fields: ['name', 'place'], sort: [{ field: 'id' }] },
  })
  beforeEach(() =>
    send(batch, 'POST', [
      { name: 'a', place: TOWER },
      { name: 'b', place: { lat: -1.5, lon: -2 } },
      { name: 'c' },
    ]),
  )

  test('have both numbers in a cell, which are read again', async () => {
    const params = { entityName: 'Spot' }
    const { text } = await call(deps, exporting.POST as Handler, { ...exported('csv'), params })
    expect(text.replaceAll('\uFEFF', '')).toBe(
      'name,place\r\na,"48.8584, 2.2945"\r\nb,"-1.5, -2"\r\nc,\r\n',
    )
    const mine = await importsOfUser(deps)
    const file = `${text}d,"{""lat"":7,""lon"":8}"\r\ne,somewhere\r\nf,"91, 5"\r\n`
    expect(
      await mine.result(file, { entityName: 'Spot', fileName: 'x.csv', query: 'partial=true' }),
    ).toMatchObject({
      ...{ created: 4, refused: 2 },
      groups: ['somewhere', '91, 5'].map((value) => ({ rule: 'type', field: 'place', value })),
    })
    const three = [TOWER, { lat: -1.5, lon: -2 }, null]
    expect(await places()).toEqual([...three, ...three, { lat: 7, lon: 8 }])
  })

  test('have texts in a sheet, and objects in JSON', async () => {
    const params = { entityName: 'Spot' }
    const made = await testRequest(deps, exported('xlsx'))
    const response = await exporting.POST(made, { params: Promise.resolve(params) })
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()))
    expect(sheets[0]?.rows.slice(0, 2)).toEqual([
      ['name', 'place'],
      ['a', '48.8584, 2.2945'],
    ])
    const { body } = await call(deps, exporting.POST as Handler, { ...exported('json'), params })
    expect(body[0]).toEqual({ name: 'a', place: TOWER })
  })
})
