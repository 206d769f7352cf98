import { describe, expect, test } from 'vitest'
import { install } from '../../testing/plugin-api'
import { recordsOf } from '../../testing/records'
import { deps, ENTITY, installed, logOf, SCHEMA, text, version } from '../../testing/versions'

const unique = [{ fields: ['room', 'day'], name: 'One booking a room and day' }]
const properties = [text('room'), text('day')]
const records = [
  { id: 1, room: 'a', day: 'mon' },
  { id: 2, room: 'a', day: 'tue' },
]
const bookings = recordsOf(deps, 'Thing')

describe.each([
  ['an entity', { entity: { unique } }, ENTITY],
  ['an index of an entity', { entity: { indexes: [{ ...unique[0], unique: true }] } }, ENTITY],
  ['a schema', { schema: { unique } }, SCHEMA],
])('fields that %s makes unique together', (_, rule, path) => {
  test('refuse a record by the name of the rule', async () => {
    await installed(version({ properties, records, ...rule }))
    const inserted = await bookings.create({ id: 3, room: 'a', day: 'mon' })
    expect(inserted).toMatchObject({
      status: 409,
      body: {
        error: expect.stringMatching(/^One booking a room and day: "room", "day" must be unique/),
      },
    })
    const changed = await bookings.change(2, { day: 'mon' })
    expect(changed.status).toBe(409)
    expect(changed.body.error).toContain('One booking a room and day')
    expect((await bookings.create({ id: 3, room: 'b', day: 'mon' })).status).toBe(201)
    const again = await installed(version({ properties, records: [], ...rule }))
    expect(again.filter(({ status }) => status !== 'unchanged').map((log) => log.path)).toEqual([])
  })

  test('are refused while stored records repeat them', async () => {
    await installed(
      version({ properties, records: [...records, { id: 3, room: 'a', day: 'mon' }] }),
    )
    const { logs } = await install(deps, version({ properties, ...rule }))
    expect(logOf(logs, path)).toMatchObject({ error: 'Incompatible change', detailCount: 2 })
  })
})

test('fields that are unique together must exist', async () => {
  const { logs } = await install(
    deps,
    version({ properties, schema: { unique: [{ fields: ['room', 'hour'] }] } }),
  )
  expect(logOf(logs, SCHEMA)).toMatchObject({
    error: 'Invalid definition',
    details: [{ pointer: '/unique/0/fields/1', value: 'hour' }],
  })
})
