import { describe, expect, test } from 'vitest'
import { MADE, made, UUID } from '../../testing/generated-defaults'
import { recordsOf } from '../../testing/records'
import { deps, installed, integer, search, version } from '../../testing/versions'

const things = recordsOf(deps, 'Thing')

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

  test('give way to values that are given, and to null where that is allowed', async () => {
    await installed(version({ properties: MADE }))
    const input = { at: '2020-01-01T00:00:00.000Z', day: null, code: 'mine' }
    const { body } = await things.create({ id: 1, ...input })
    expect(body.data).toMatchObject([{ id: 1, ...input, token: expect.stringMatching(UUID) }])
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
})
