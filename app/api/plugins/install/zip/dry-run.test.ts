import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { databaseState } from '@/lib/testing/database-state'
import { freshDeps } from '@/lib/testing/deps'
import { checkDryRun } from '../../testing/check-dry-run'
import { type Files, install } from '../../testing/plugin-api'

const deps = freshDeps()

test('an empty entity that moves to another table gets its records there in a dry run too', async () => {
  const moved = (dbTable: string, data: object[]) =>
    pluginFiles({
      EngineSchemas: {
        files: {
          'Thing.json': {
            name: 'Thing',
            properties: [{ name: 'code', type: 'string', unique: true }],
          },
        },
      },
      EngineEntities: { files: { 'Thing.json': { name: 'Thing', dbTable } } },
      Thing: { files: { 'data.json': data } },
    })
  const files = await checkDryRun(
    deps,
    moved('first', []),
    moved('second', [{ code: 'a' }]),
    'partial',
  )
  expect(files.map(({ status }) => status)).not.toContain('failed')
})

/** A plugin whose entity counts by itself, with data files `0.json`, `1.json`, … */
function counting(files: object[][], type: 'number' | 'string' = 'number'): Files {
  const pks = [{ key: 'no', strategy: 'AutoIncrement', type }]
  const properties = [{ name: 'code', type: 'string', unique: true }]
  const contents = Object.fromEntries(files.map((records, at) => [`${at}.json`, records]))
  return pluginFiles({
    EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties } } },
    EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks } } },
    Thing: { files: contents },
  })
}

describe.each(['number', 'string'] as const)('a counter that is a %s', (type) => {
  const nextNumber = async () => {
    const { logs } = await install(deps, counting([[{}]], type))
    expect(logs.at(-1)).toMatchObject({ status: 'created' })
    const state = await databaseState(deps.db)
    return Math.max(...(state['entities.thing'] ?? []).map((line) => Number(JSON.parse(line).no)))
  }

  test.each<[string, object[][]]>([
    ['never used', []],
    ['used', [[{}, {}]]],
    ['moved on', [[{ no: type === 'number' ? 500_000 : '500000' }]]],
  ])('and %s is where it was after dry runs', async (_, installed) => {
    await install(deps, counting([[], ...installed], type))
    const before = await databaseState(deps.db)
    const far = type === 'number' ? 1_000_000 : '1000000'
    for (const records of [
      [{}, {}],
      [{ no: far }, {}],
      [{ code: 'a' }, { code: 'a' }],
    ])
      await install(deps, counting([records, [{}]], type), { query: '?dryRun=true' })
    expect(await databaseState(deps.db)).toEqual(before)
    const expected = { 'never used': 1, used: 3, 'moved on': 500_001 }[_]
    expect(await nextNumber()).toBe(expected)
  })

  test('counts on past the numbers of a file that fails, in a dry run too', async () => {
    const second = counting(
      [[{ code: 'a' }, { code: 'a' }], [{}], [{ no: type === 'number' ? 3 : '3' }]],
      type,
    )
    const files = await checkDryRun(deps, counting([[]], type), second, 'partial')
    expect(files.slice(-3).map(({ error }) => error)).toEqual([
      'Conflict Issue!',
      null,
      'Conflict Issue!',
    ])
  })
})

test.each(['UUID', 'AutoIncrement'])(
  'a key made by %s is not reported for a record that fails',
  async (strategy) => {
    const pks = [{ key: 'id', strategy, type: 'string' }]
    const properties = [{ name: 'code', type: 'string', unique: true }]
    const files = pluginFiles({
      EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties } } },
      EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks } } },
      Thing: { files: { 'data.json': [{ code: 'a' }, { code: 'a' }, { id: 'mine', code: 'a' }] } },
    })
    const reports = await checkDryRun(deps, counting([]), files, 'partial')
    expect(reports.at(-1)?.details).toMatchObject([{ index: 1 }, { index: 2, key: 'mine' }])
    expect(reports.at(-1)?.details[0]).not.toHaveProperty('key')
  },
)
