import { describe, expect, test } from 'vitest'
import { tableColumns, tableIndexDefinitions } from '@/lib/testing/define'
import { install, verdicts } from '../../testing/plugin-api'
import {
  deps,
  ENTITY,
  installed,
  integer,
  logOf,
  SCHEMA,
  search,
  text,
  version,
} from '../../testing/versions'

describe('a new version', () => {
  test('adds columns, indexes and constraints, and says so', async () => {
    await installed(version({ properties: [text('name')], records: [{ id: 1, name: 'a' }] }))
    const logs = await installed(
      version({
        properties: [
          text('name', { unique: true }),
          integer('size', { indexed: true, default: 7 }),
          text('note'),
        ],
        entity: { indexes: [{ fields: ['name', 'size'] }] },
        records: [{ id: 2, name: 'b', size: 1 }],
      }),
    )
    expect(verdicts(logs)).toEqual({
      [SCHEMA]: 'updated',
      [ENTITY]: 'updated',
      'Thing/data.json': 'created',
    })
    expect(logOf(logs, SCHEMA)?.changes.join('\n')).toMatch(/size/)
    expect(await tableColumns(deps, 'thing')).toMatchObject({ size: 'bigint', note: 'text' })
    const indexes = (await tableIndexDefinitions(deps, 'thing')).join('\n')
    expect(indexes).toMatch(/UNIQUE[^\n]*name/)
    expect(indexes).toMatch(/size/)
    expect(await search()).toEqual([
      { id: 1, name: 'a', size: 7, note: null },
      { id: 2, name: 'b', size: 1, note: null },
    ])
    const second = await install(
      deps,
      version({ properties: [text('name', { unique: true })], records: [{ id: 3, name: 'b' }] }),
    )
    expect(logOf(second.logs, 'Thing/data.json')).toMatchObject({
      error: 'Conflict Issue!',
      details: [{ index: 0 }],
    })
  })

  test('narrows where nothing stored contradicts it', async () => {
    await installed(version({ properties: [text('v')], records: [{ id: 1, v: '12' }] }))
    await installed(version({ properties: [integer('v', { required: true, max: 12 })] }))
    expect(await search()).toEqual([{ id: 1, v: 12 }])
    const { logs } = await install(deps, version({ records: [{ id: 2, v: 13 }] }))
    expect(logOf(logs, 'Thing/data.json')).toMatchObject({
      error: 'Invalid record',
      details: [{ index: 0, pointer: '/v' }],
    })
  })
})
