import { describe, expect, test } from 'vitest'
import { tableColumns, tableIndexDefinitions } from '@/lib/testing/define'
import { checkDryRun } from '../../testing/check-dry-run'
import { install, verdicts } from '../../testing/plugin-api'
import { organisation, renamed, v1, v2 } from '../../testing/renamed-properties'
import {
  deps,
  installed,
  integer,
  logOf,
  SCHEMA,
  search,
  text,
  version,
} from '../../testing/versions'

describe('a property with renamedFrom', () => {
  test('takes the column over, with its values and indexes', async () => {
    await installed(v1())
    const logs = await installed(v2())
    expect(logOf(logs, SCHEMA)?.changes).toEqual([
      'Rename the column company of entities.thing to organisation',
    ])
    expect(await tableColumns(deps, 'thing')).toEqual({
      id: 'numeric!',
      organisation: 'text',
      n: 'bigint',
      $extra: 'jsonb',
    })
    expect(await search()).toEqual(renamed)
    const indexes = await tableIndexDefinitions(deps, 'thing')
    expect(indexes.join('\n')).not.toContain('company')
    expect(indexes).toHaveLength(6)
    const again = await installed(v2())
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['unchanged']))
    const { logs: refused } = await install(
      deps,
      v2(undefined, { records: [{ id: 3, organisation: 'a' }] }),
    )
    expect(verdicts(refused)['Thing/data.json']).toBe('Conflict Issue!')
  })

  test('changes in other ways at the same time', async () => {
    await installed(v1())
    const property = { name: 'firm', type: 'json', renamedFrom: ['organisation', 'company'] }
    await installed(
      version({ properties: [property, { ...integer('m'), renamedFrom: 'n', type: 'decimal' }] }),
    )
    expect(await search()).toEqual([
      { id: 1, firm: 'a', m: 1 },
      { id: 2, firm: 'b', m: 2 },
    ])
  })

  test('is like any other where there is nothing to take over', async () => {
    await installed(v2(undefined, { records: [{ id: 1, organisation: 'x', n: 1 }] }))
    expect(await search()).toEqual([{ id: 1, organisation: 'x', n: 1 }])
  })

  test('that is declared beside its former name is refused', async () => {
    const both = [text('company'), organisation()]
    const { logs } = await install(deps, version({ properties: both }))
    expect(logOf(logs, SCHEMA)).toMatchObject({
      error: 'Invalid definition',
      details: [{ pointer: '/properties/1/meta/renamedFrom', value: 'company' }],
    })
  })

  test.each(['partial', 'atomic'] as const)('is predicted by a dry run (%s)', async (mode) => {
    const more = [
      { id: 3, organisation: 'a' },
      { id: 4, organisation: 'd' },
    ]
    const files = await checkDryRun(deps, v1(), v2(undefined, { records: more }), mode)
    expect(files.some(({ status }) => status === 'failed')).toBe(true)
  })
})
