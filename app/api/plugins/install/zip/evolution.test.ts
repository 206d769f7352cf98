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

  test.each<[string, object, unknown, object, unknown, string]>([
    ['an integer to a decimal', integer('v'), 12, { name: 'v', type: 'decimal' }, 12, 'numeric'],
    [
      'a smallint to a bigint',
      { name: 'v', type: 'smallint' },
      7,
      { name: 'v', type: 'bigint' },
      7,
      'bigint',
    ],
    ['a number to a text', integer('v'), 12, text('v'), '12', 'text'],
    [
      'a date to a datetime',
      { name: 'v', type: 'date' },
      '2024-02-29',
      { name: 'v', type: 'datetime' },
      '2024-02-29T00:00:00.000Z',
      'timestamp(3) with time zone',
    ],
    [
      'a longer text',
      text('v', { maxLength: 3 }),
      'abc',
      text('v', { maxLength: 30 }),
      'abc',
      'text',
    ],
    ['a boolean to a text', { name: 'v', type: 'boolean' }, true, text('v'), 'true', 'text'],
    ['a text to JSON', text('v'), 'abc', { name: 'v', type: 'json' }, 'abc', 'jsonb'],
  ])('widens %s and keeps what is stored', async (_, before, value, after, expected, column) => {
    await installed(version({ properties: [before], records: [{ id: 1, v: value }] }))
    const logs = await installed(version({ properties: [after] }))
    expect(logOf(logs, SCHEMA)?.status).toBe('updated')
    expect(await search()).toEqual([{ id: 1, v: expected }])
    expect((await tableColumns(deps, 'thing')).v).toContain(column)
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

  test('declares what was undeclared, and takes its values along', async () => {
    await installed(version({ records: [{ id: 1, v: 5, other: 'x' }, { id: 2, v: 6 }, { id: 3 }] }))
    expect(await search({ query: [{ field: 'v', operator: 'eq', value: 6 }] })).toHaveLength(1)
    await installed(version({ properties: [integer('v', { indexed: true })] }))
    expect(await tableColumns(deps, 'thing')).toMatchObject({ v: 'bigint' })
    expect(await search()).toMatchObject([
      { id: 1, v: 5, other: 'x' },
      { id: 2, v: 6 },
      { id: 3, v: null },
    ])
    expect(await search({ query: [{ field: 'v', operator: 'gte', value: 6 }] })).toHaveLength(1)
  })

  test('declares nothing that undeclared values contradict', async () => {
    await installed(version({ properties: [text('a')], records: [{ id: 1, v: 'five' }] }))
    const { logs } = await install(deps, version({ properties: [text('a'), integer('v')] }))
    expect(verdicts(logs)[SCHEMA]).toBe('Incompatible change')
    expect(await search()).toEqual([{ id: 1, a: null, v: 'five' }])
  })

  test('takes an undeclared value that spells another type, as it takes a declared text', async () => {
    const spelt = { n: '3', x: '1.5', b: 'true' }
    await installed(version({ records: [{ id: 1, ...spelt }] }))
    const of = (name: string, type: string) => ({ name, type })
    const properties = [of('n', 'integer'), of('x', 'number'), of('b', 'boolean')]
    await installed(version({ properties }))
    expect(await search()).toEqual([{ id: 1, n: 3, x: 1.5, b: true }])
  })

  test('that drops a property says how many values are served no longer', async () => {
    const records = Array.from({ length: 5 }, (_, id) => ({ id, a: 'x', b: id < 3 ? 'y' : null }))
    await installed(version({ properties: [text('a'), text('b'), text('c')], records }))
    const logs = await installed(version({ properties: [text('a')] }))
    expect(logOf(logs, SCHEMA)?.changes).toEqual([
      'Stop serving b of entities.thing; its 3 values are kept',
      'Stop serving c of entities.thing; it has no values',
    ])
  })
})
