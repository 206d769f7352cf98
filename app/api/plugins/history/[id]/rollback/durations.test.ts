import { expect, test } from 'vitest'
import { install } from '../../../testing/plugin-api'
import { rollback, run, state } from '../../../testing/rollbacks'
import { deps, logOf, search, text, version } from '../../../testing/versions'

// On the embedded database too, whose driver reads intervals differently.
const takes = (meta: object = {}) => ({ name: 'takes', type: 'duration', meta })

const v1 = () =>
  version({
    properties: [text('name'), takes(), { name: 'rest', type: 'duration', default: '-PT1H' }],
    records: [
      ...[{ id: 1, takes: 'P1DT2H30M', rest: 'PT0.5S' }, { id: 2, takes: '-P1M' }, { id: 3 }],
      ...Array.from({ length: 500 }, (_, at) => ({ id: at + 10, takes: `PT${at}M` })),
    ],
  })

const v2 = () =>
  version({
    properties: [text('name'), takes({ required: true, default: 'P2W' }), text('rest')],
    records: [
      { id: 1, takes: 'PT36H', rest: 'soon' },
      { id: 2, takes: 'P-1M', rest: 'PT-1H' },
    ],
  })

const first = async () => (await search({ pagination: { size: 3 } })) as unknown[]

test('durations of a plugin are installed, upgraded and rolled back', async () => {
  await run(v1())
  const records = [
    { id: 1, name: null, takes: 'P1DT2H30M', rest: 'PT0.5S' },
    { id: 2, name: null, takes: 'P-1M', rest: 'PT-1H' },
    { id: 3, name: null, takes: null, rest: 'PT-1H' },
  ]
  expect(await first()).toEqual(records)
  const again = await install(deps, v1())
  expect(logOf(again.logs, 'Thing/data.json')).toMatchObject({
    records: { created: 0, updated: 0, unchanged: 503 },
  })
  const before = await state()
  const upgraded = await run(v2())
  expect(await first()).toEqual([
    { id: 1, name: null, takes: 'PT36H', rest: 'soon' },
    { id: 2, name: null, takes: 'P-1M', rest: 'PT-1H' },
    { id: 3, name: null, takes: 'P14D', rest: 'PT-1H' },
  ])
  const { status, body } = await rollback(upgraded)
  expect([status, body.error]).toEqual([200, undefined])
  expect(await first()).toEqual(records)
  expect(await state()).toEqual(before)
})

test('what is no duration is named with its place', async () => {
  const { logs } = await install(
    deps,
    version({ properties: [takes({ enum: ['PT1H', 'an hour'] })], records: [] }),
  )
  expect(logOf(logs, 'EngineSchemas/Thing.json')).toMatchObject({
    error: 'Invalid definition',
    details: [
      {
        pointer: '/properties/0/meta/enum/1',
        message: 'A value that must be a duration (ISO 8601, such as P1DT2H30M), not text',
      },
    ],
  })
  const key = version({
    properties: [{ name: 'id', type: 'duration' }],
    entity: { pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] },
  })
  const refused = await install(deps, key)
  expect(JSON.stringify(refused.logs)).toMatch(
    /The schema says that id is duration; Fixed needs text/,
  )
})
