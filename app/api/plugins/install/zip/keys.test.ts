import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { install } from '../../testing/plugin-api'
import { deps, FIXED, stored } from '../../testing/reference-plugins'

describe('keys', () => {
  const keyed = (pks: object[], data: object[], entity: object = {}) =>
    pluginFiles({
      EngineEntities: { files: { 'E.json': { name: 'E', pks, ...entity } } },
      E: { files: { 'data.json': data } },
    })
  const values = async () => (await stored('e')).map(({ $extra, ...record }) => record)

  test('of several parts identify records by all of them', async () => {
    const pks = [
      { key: 'country', strategy: 'Fixed', type: 'string' },
      { key: 'number', strategy: 'Fixed', type: 'number' },
    ]
    const data = [
      { country: 'CH', number: 1 },
      { country: 'CH', number: 2 },
      { country: 'FR', number: 1 },
    ]
    expect((await install(deps, keyed(pks, data))).body.data.failedCount).toBe(0)
    const { logs } = await install(
      deps,
      keyed(pks, [
        { country: 'IT', number: 1 },
        { country: 'FR', number: 1 },
      ]),
    )
    expect(logs.at(-1)).toMatchObject({
      error: 'Conflict Issue!',
      details: [{ index: 1, key: { country: 'FR', number: 1 } }],
    })
    expect((await install(deps, keyed(pks, [{ country: 'IT' }]))).logs.at(-1)).toMatchObject({
      error: 'Invalid record',
      details: [{ index: 0 }],
    })
    expect(await values()).toHaveLength(3)
  })

  test('that count continue after those given', async () => {
    const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
    await install(deps, keyed(pks, [{ id: 5 }, { n: 1 }, { id: 40 }]))
    await install(deps, keyed(pks, [{ n: 2 }, { n: 3 }]))
    expect((await values()).map(({ id }) => Number(id))).toEqual([5, 40, 41, 42, 43])
  })

  test('that count are new for every record without one, equal ones too, until installed again', async () => {
    const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
    const files = keyed(pks, [{ n: 1 }, { n: 2 }, { n: 2 }])
    await install(deps, files)
    expect(await values()).toHaveLength(3)
    expect((await install(deps, files)).logs.at(-1)).toMatchObject({ error: 'Conflict Issue!' })
    expect(await values()).toHaveLength(3)
  })

  test('that are UUIDs are made where none is given', async () => {
    const input = '11111111-2222-4333-8444-555555555555'
    const pks = [{ key: 'id', strategy: 'UUID', type: 'string' }]
    await install(deps, keyed(pks, [{ id: input }, { n: 1 }]))
    const ids = (await values()).map(({ id }) => id)
    expect(ids).toContain(input)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await install(deps, keyed(pks, [{ id: input }]))).logs.at(-1)?.error).toBe(
      'Conflict Issue!',
    )
  })

  test.each([
    ['Upsert', { a: 'new', b: 'old', $extra: { x: 1, y: 2 } }],
    ['Replace', { a: 'new', b: null, $extra: { y: 2 } }],
  ])('with updateStrategy %s take the fields that come', async (updateStrategy, expected) => {
    const properties = [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'string' },
    ]
    const files = (record: object) => ({
      ...keyed(FIXED, [{ id: 'k', ...record }], { insertDuplicate: 'Upsert', updateStrategy }),
      'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
      'EngineSchemas/E.json': { name: 'E', properties },
    })
    await install(deps, files({ a: 'old', b: 'old', x: 1 }))
    const { logs } = await install(deps, files({ a: 'new', y: 2 }))
    expect(logs.at(-1)).toMatchObject({ status: 'updated', records: { updated: 1 } })
    expect(await stored('e')).toEqual([{ id: 'k', ...expected }])
    expect((await install(deps, files({ a: 'new', y: 2 }))).logs.at(-1)?.status).toBe('unchanged')
  })
})
