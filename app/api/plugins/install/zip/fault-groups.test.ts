import { expect, test } from 'vitest'
import type { FaultGroup } from '@/lib/definitions/definition-faults'
import { found, groupsOf, things } from '../../testing/fault-groups'
import { install } from '../../testing/plugin-api'
import { deps, installed, integer, logOf, SCHEMA, text, version } from '../../testing/versions'

const DATA = 'Thing/data.json'
test('stored records that an allowed list forbids are counted by value, each with its search', async () => {
  const tier = (id: number) => (id < 167 ? 'enterprise' : id < 170 ? 'it’s "old"' : 'free')
  await installed(
    version({ properties: [text('tier')], records: things(300, (id) => ({ tier: tier(id) })) }),
  )
  const stricter = version({ properties: [text('tier', { enum: ['free', 'pro'] })] })
  const groups = await groupsOf(stricter, SCHEMA)
  expect(groups).toMatchObject([
    {
      ...{ entity: 'Thing', rule: 'enum', field: 'tier', value: 'enterprise' },
      ...{ allowed: ['free', 'pro'], total: 167, keys: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
      filter: [{ field: 'tier', operator: 'eq', value: 'enterprise' }],
    },
    { value: 'it’s "old"', total: 3, keys: [167, 168, 169] },
  ])
  expect(await Promise.all(groups.map(found))).toEqual([167, 3])
})

test('all rules that stored records break are reported together', async () => {
  const records = things(30, (id) => ({ a: id < 5 ? null : `a${id % 2}`, b: id }))
  await installed(version({ properties: [text('a'), integer('b')], records }))
  const properties = [text('a', { required: true, enum: ['a0'] }), integer('b', { max: 9 })]
  const groups = await groupsOf(version({ properties }), SCHEMA)
  expect(groups.map(({ rule, field, total }) => [rule, field, total])).toEqual([
    ['max', 'b', 20],
    ['enum', 'a', 13],
    ['required', 'a', 5],
  ])
  expect(await Promise.all(groups.map(found))).toEqual([20, 13, 5])
})

test('searches name fields as they are without the refused version, and only values that are there', async () => {
  const records = things(20, () => ({ old: '7' }))
  await installed(version({ properties: [text('old')], records }))
  const renamed = text('fresh', { enum: ['8'], renamedFrom: ['old'] })
  const [group] = await groupsOf(version({ properties: [renamed] }), SCHEMA)
  expect(group?.filter).toEqual([{ field: 'old', operator: 'eq', value: '7' }])
  const retyped = integer('old', { max: 5 })
  const [changed] = await groupsOf(version({ properties: [retyped] }), SCHEMA)
  expect(changed).toMatchObject({ rule: 'max', filter: [{ field: 'id', operator: 'in' }] })
  for (const one of [group, changed]) expect(await found(one as FaultGroup)).toBe(20)
})

test('many wrong records of a file are counted by rule and value, however many there are', async () => {
  const properties = [text('tier', { enum: ['free'] }), integer('age', { min: 0 })]
  const records = things(10_000, (id) => ({
    tier: 'gold',
    age: id % 2 ? -id : id,
    [`x${id % 90}`]: 1,
  }))
  const files = version({ properties, schema: { additionalProperties: false }, records })
  const groups = await groupsOf(files, DATA)
  expect(groups).toContainEqual({
    ...{ entity: null, rule: 'enum', field: 'tier', value: 'gold', allowed: ['free'] },
    ...{ message: 'must be one of "free"', total: 10_000, keys: [], filter: null },
    indexes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  })
  expect(groups.find(({ rule }) => rule === 'min')).toMatchObject({
    ...{ field: 'age', total: 5_000, examples: [-1, -3, -5, -7, -9, -11, -13, -15, -17, -19] },
  })
  expect(groups.length).toBeLessThan(60)
  const { logs } = await install(deps, files)
  expect(logOf(logs, DATA)).toMatchObject({ detailCount: 25_000, records: { failed: 10_000 } })
  expect(groups.reduce((sum, { total }) => sum + total, 0)).toBe(25_000)
})

test('references to nothing are counted by what they refer to', async () => {
  const files = version({
    properties: [integer('to', { reference: { entity: 'Thing', field: 'id' } })],
    records: things(300, () => ({ to: 999 })),
  })
  expect(await groupsOf(files, DATA)).toMatchObject([
    { rule: 'reference', field: 'to', value: 999, allowed: 'Thing', total: 300 },
  ])
})
