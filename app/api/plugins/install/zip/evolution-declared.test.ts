import { describe, expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { install, verdicts } from '../../testing/plugin-api'
import { deps, installed, integer, SCHEMA, search, text, version } from '../../testing/versions'

describe('a new version', () => {
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
})
