import { describe, expect, test } from 'vitest'
import { install, verdicts } from '../../testing/plugin-api'
import { deps, ENTITY, installed, logOf, search, text, version } from '../../testing/versions'

describe('a new version', () => {
  test('that needs another key reports in one line how many records forbid it', async () => {
    const records = Array.from({ length: 167 }, (_, id) => ({ id }))
    await installed(version({ properties: [text('code')], records }))
    const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
    const { logs } = await install(deps, version({ entity: { pks } }))
    expect(logOf(logs, ENTITY)).toMatchObject({
      error: 'Incompatible change',
      detailCount: 1,
      details: [
        {
          message:
            '167 records are stored: it is too late to change the primary key from id to code',
        },
      ],
    })
  })

  test('with another key is refused while there are records, and changes nothing', async () => {
    await installed(version({ properties: [text('code')], records: [{ id: 1, code: 'a' }] }))
    const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
    const { logs } = await install(deps, version({ entity: { pks } }))
    expect(verdicts(logs)[ENTITY]).toBe('Incompatible change')
    expect(await search()).toEqual([{ id: 1, code: 'a' }])
  })

  test('with another key and indexes recreates an empty table', async () => {
    const pks = ['id', 'code'].map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
    const properties = [text('name', { required: true, indexed: true })]
    await installed(version({ properties, entity: { pks } }))
    await installed(version({ properties, records: [{ id: 1, name: 'a' }] }))
    expect(await search()).toEqual([{ id: 1, name: 'a' }])
  })
})
