import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { GET as DRIFT } from '@/app/api/plugins/[id]/drift/route'
import { call } from '@/lib/testing/request'
import { exportPlugin } from '../../../testing/export-api'
import { install } from '../../../testing/plugin-api'
import { rollback, run, state } from '../../../testing/rollbacks'
import { deps, logOf, search, text, version } from '../../../testing/versions'

// On the embedded database too, whose driver reads points differently.
const ID = 'com.example.shop'
const TOWER = { lat: 48.8584, lon: 2.2945 }
const DATE_LINE = { lat: -16.5, lon: 180 }
const NEAR_ZERO = { lat: 1e-7, lon: -48.858370099999995 }

const place = (meta: object = {}) => ({ name: 'place', type: 'location', meta })

const v1 = () =>
  version({
    properties: [
      text('name'),
      place(),
      { name: 'home', type: 'location', meta: { default: TOWER } },
    ],
    records: [
      ...[{ id: 1, place: TOWER, home: NEAR_ZERO }, { id: 2, place: DATE_LINE }, { id: 3 }],
      ...Array.from({ length: 500 }, (_, at) => ({
        id: at + 10,
        place: { lat: at / 10, lon: at / 5 },
      })),
    ],
  })

const v2 = (home: object = { name: 'home', type: 'location', meta: { default: DATE_LINE } }) =>
  version({
    properties: [text('name'), place({ required: true, default: DATE_LINE }), home],
    records: [
      { id: 1, place: NEAR_ZERO, home: DATE_LINE },
      { id: 2, place: { lon: 180, lat: -16.5 }, home: TOWER },
    ],
  })

const RECORDS = [
  { id: 1, name: null, place: TOWER, home: NEAR_ZERO },
  { id: 2, name: null, place: DATE_LINE, home: TOWER },
  { id: 3, name: null, place: null, home: TOWER },
]

const first = async () => (await search({ pagination: { size: 3 } })) as unknown[]

test('locations of a plugin are installed, upgraded and rolled back', async () => {
  await run(v1())
  expect(await first()).toEqual(RECORDS)
  const again = await install(deps, v1())
  expect(logOf(again.logs, 'Thing/data.json')).toMatchObject({
    records: { created: 0, updated: 0, unchanged: 503 },
  })
  const refused = await install(deps, v2(text('home')))
  expect(logOf(refused.logs, 'EngineSchemas/Thing.json')).toMatchObject({
    error: 'Incompatible change',
    details: expect.arrayContaining([expect.objectContaining({ key: 2, value: TOWER })]),
  })
  expect(await first()).toEqual(RECORDS)
  const before = await state()
  const upgraded = await run(v2())
  expect(await first()).toMatchObject([
    { id: 1, place: NEAR_ZERO, home: DATE_LINE },
    { id: 2, place: DATE_LINE, home: TOWER },
    { id: 3, place: DATE_LINE },
  ])
  const { status, body } = await rollback(upgraded)
  expect([status, body.error]).toEqual([200, undefined])
  expect(await first()).toEqual(RECORDS)
  expect(await state()).toEqual(before)
})

test('a location that was edited is a difference, and is exported as it is', async () => {
  await run(v1())
  await deps.db.execute(sql`update entities.thing set place = null where id = 2`)
  const { body } = await call(deps, DRIFT, {
    ...{ path: `/api/plugins/${ID}/drift`, params: { id: ID }, as: 'ADMIN' },
  })
  expect(body.data).toMatchObject([
    { key: '2', change: 'edited', fields: [{ field: 'place', base: DATE_LINE, ours: null }] },
  ])
  const { files, bytes } = await exportPlugin(deps, ID)
  const exported = JSON.parse(files['Thing/data.json'] ?? '')
  expect(exported.slice(0, 3)).toMatchObject([
    RECORDS[0],
    { id: 2, place: null, home: TOWER },
    { id: 3, place: null },
  ])
  const { logs } = await install(deps, bytes)
  expect(logs.filter(({ status }) => status === 'failed')).toEqual([])
})

test('what is no location is named with its place', async () => {
  const { logs } = await install(
    deps,
    version({ properties: [place({ default: { lat: 91, lon: 0 } })], records: [] }),
  )
  expect(logOf(logs, 'EngineSchemas/Thing.json')).toMatchObject({
    error: 'Invalid definition',
    details: [{ pointer: '/properties/0/meta/default' }],
  })
})
