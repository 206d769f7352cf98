import { describe, expect, test } from 'vitest'
import { checkDryRun } from '../../testing/check-dry-run'
import { recordsOf } from '../../testing/records'
import { deps, installed, integer, search, text, version } from '../../testing/versions'

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const MADE = [
  { name: 'at', type: 'datetime', meta: { default: 'now', required: true } },
  { name: 'day', type: 'date', meta: { default: 'now' } },
  { name: 'token', type: 'uuid', meta: { default: 'uuid', required: true, unique: true } },
  text('code', { default: 'uuid' }),
  text('way', { default: 'uuid', enum: ['uuid', 'number'] }),
  text('word', { default: 'now' }),
  integer('n'),
]

const things = recordsOf(deps, 'Thing')
const made = {
  at: expect.stringMatching(INSTANT),
  day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  token: expect.stringMatching(UUID),
  code: expect.stringMatching(UUID),
  way: 'uuid',
  word: 'now',
}

describe('the defaults "now" and "uuid"', () => {
  test('are made for each record, whichever way it comes in', async () => {
    const padding = 'x'.repeat(400)
    const records = Array.from({ length: 1_000 }, (_, id) => ({ id, n: id, note: padding }))
    await installed(version({ properties: MADE, records: records.slice(0, 3) }))
    const created = await things.create({ id: 2_000 })
    expect(created.body.data).toMatchObject([{ id: 2_000, ...made }])
    const found = await search({ pagination: { page: 0, size: 1_000 } })
    expect(found).toHaveLength(4)
    for (const record of found) expect(record).toMatchObject(made)
    expect(new Set(found.map(({ token }: { token: string }) => token)).size).toBe(4)
  })

  test('are made for the records of a large file too', async () => {
    const records = Array.from({ length: 900 }, (_, id) => ({ id, note: 'x'.repeat(400) }))
    await installed(version({ properties: MADE, records }))
    const found = await search({ pagination: { page: 0, size: 1_000 } })
    expect(new Set(found.map(({ token }: { token: string }) => token)).size).toBe(900)
    expect(found[899]).toMatchObject({ id: 899, ...made })
  })

  test('give way to values that are given, and to null where that is allowed', async () => {
    await installed(version({ properties: MADE }))
    const given = { at: '2020-01-01T00:00:00.000Z', day: null, code: 'mine' }
    const { body } = await things.create({ id: 1, ...given })
    expect(body.data).toMatchObject([{ id: 1, ...given, token: expect.stringMatching(UUID) }])
  })

  test('are kept when a record is replaced', async () => {
    const entity = { updateStrategy: 'Replace' }
    const files = version({ properties: MADE, entity, records: [{ id: 1, n: 1 }] })
    await installed(files)
    const [before] = await search()
    await installed(files)
    expect(await search()).toEqual([before])
    const replaced = await things.replace(1, { n: 2 })
    expect(replaced.body.data).toMatchObject([{ ...before, n: 2 }])
    const again = await things.replace(1, { n: 2, code: 'mine' })
    expect(again.body.data).toMatchObject([{ ...before, n: 2, code: 'mine' }])
  })

  test('fill a property that is new, with a value for each record', async () => {
    await installed(version({ properties: [integer('n')], records: [{ id: 1 }, { id: 2 }] }))
    await installed(version({ properties: MADE }))
    const found = await search()
    expect(found).toMatchObject([
      { id: 1, ...made },
      { id: 2, ...made },
    ])
    expect(found[0].token).not.toBe(found[1].token)
  })

  test('are foretold by a dry run', async () => {
    const files = await checkDryRun(
      deps,
      version({ properties: [integer('n')], records: [{ id: 1 }] }),
      version({ properties: MADE, records: [{ id: 2 }] }),
      'partial',
    )
    expect(files.flatMap(({ changes }) => changes)).toContain(
      'Set at to the present time where entities.thing has no value',
    )
  })
})
