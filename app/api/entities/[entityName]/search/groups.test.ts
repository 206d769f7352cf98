import { beforeAll, expect, test } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const properties = [
  { name: 'team', type: 'string' },
  { name: 'age', type: 'integer' },
  { name: 'score', type: 'double' },
  { name: 'seen', type: 'datetime' },
  { name: 'active', type: 'boolean' },
  { name: 'huge', type: 'double' },
]
const records = [
  {
    team: 'item 10',
    age: 1,
    score: 0.5,
    seen: '2024-01-01T00:00:00Z',
    active: true,
    x: 1,
    huge: 1.7e308,
  },
  {
    team: 'item 10',
    age: 2,
    score: 1.5,
    seen: '2024-01-02T00:00:00Z',
    active: false,
    x: 2.5,
    huge: 1.7e308,
  },
  { team: 'item 2', age: 4, active: true, x: 'word', long: 1 },
  { team: 'Item 2', age: null, x: null },
  { age: 10, long: 1 },
]

beforeAll(async () => {
  await testDeps()
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, records)
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const search = (body: object) =>
  call(deps, POST, { method: 'POST', path: '/', params: { entityName: 'Thing' }, headers, body })
const groups = async (groupBy: object, more: object = {}) => {
  const { status, body } = await search({ groupBy, ...more })
  expect(body.error).toBeUndefined()
  expect(status).toBe(200)
  return body.data
}

test('records are counted by a field, in its order', async () => {
  expect(await groups({ fields: ['team'], aggregate: [{ function: 'COUNT' }] })).toEqual([
    { team: 'Item 2', count: 1 },
    { team: 'item 2', count: 1 },
    { team: 'item 10', count: 2 },
    { team: null, count: 1 },
  ])
})

test('every function returns its value under its alias or a default name', async () => {
  const aggregate = [
    { function: 'count', field: 'age' },
    { function: 'SUM', field: 'age' },
    { function: 'AVG', field: 'age', alias: 'mean' },
    { function: 'MIN', field: 'age' },
    { function: 'MAX', field: 'seen' },
    { function: 'SUM', field: 'score' },
    { function: 'MIN', field: 'team' },
    { function: 'SUM', field: 'x' },
    { function: 'MAX', field: 'x', alias: 'ü'.repeat(90) },
  ]
  expect(await groups({ aggregate })).toEqual([
    {
      ...{ count_age: 4, sum_age: 17, mean: 4.25, min_age: 1, sum_score: 2, sum_x: 3.5 },
      max_seen: '2024-01-02T00:00:00.000Z',
      min_team: expect.stringMatching(/^item 2$/i),
      ['ü'.repeat(90)]: 2.5,
    },
  ])
})

test('groups may be filtered, sorted by a figure and paged', async () => {
  const { body } = await search({
    groupBy: { fields: ['active', 'team'], aggregate: [{ function: 'SUM', field: 'age' }] },
    query: [{ field: 'age', operator: 'notnull' }],
    sort: [{ field: 'sum_age', direction: 'desc' }],
    pagination: { page: 1, size: 3 },
  })
  expect(body.data).toEqual([{ active: true, team: 'item 10', sum_age: 1 }])
  expect(body.pagination).toEqual({ current: 1, total: 4, pages: 2, first: false, last: true })
})

test('undeclared fields group by their JSON, missing and null alike', async () => {
  expect(await groups({ fields: ['x'], aggregate: [{ function: 'COUNT', alias: 'n' }] })).toEqual(
    expect.arrayContaining([
      { x: 1, n: 1 },
      { x: 2.5, n: 1 },
      { x: 'word', n: 1 },
      { x: null, n: 2 },
    ]),
  )
})

test('figures of no records are one group', async () => {
  const query = [{ field: 'age', operator: 'gt', value: 100 }]
  const aggregate = [{ function: 'COUNT' }, { function: 'SUM', field: 'age' }]
  expect(await groups({ aggregate }, { query })).toEqual([{ count: 0, sum_age: null }])
  expect(await groups({ fields: ['team'], aggregate }, { query })).toEqual([])
})

const COUNT = { function: 'COUNT' }
test.each<[name: string, body: object, field: string, error: RegExp]>([
  ['no function', { groupBy: { fields: ['team'], aggregate: [] } }, 'groupBy.aggregate', /least/],
  [
    'an unknown function',
    { groupBy: { aggregate: [{ function: 'MEDIAN' }] } },
    'groupBy.aggregate.0.function',
    /SUM/,
  ],
  [
    'an unknown field',
    { groupBy: { fields: ['tem'], aggregate: [COUNT] } },
    'groupBy.fields.0',
    /"team"/,
  ],
  [
    'a sum of nothing',
    { groupBy: { aggregate: [{ function: 'SUM' }] } },
    'groupBy.aggregate.0.field',
    /needs/,
  ],
  [
    'a sum of texts',
    { groupBy: { aggregate: [{ function: 'SUM', field: 'team' }] } },
    'groupBy.aggregate.0.field',
    /text/,
  ],
  [
    'an unknown figure',
    { groupBy: { aggregate: [{ function: 'SUM', field: 'agee' }] } },
    'groupBy.aggregate.0.field',
    /"age"/,
  ],
  ['one name twice', { groupBy: { aggregate: [COUNT, COUNT] } }, 'groupBy.aggregate', /"count"/],
  [
    'a name of a field',
    { groupBy: { fields: ['team'], aggregate: [{ ...COUNT, alias: 'team' }] } },
    'groupBy.aggregate',
    /"team"/,
  ],
  [
    'a sort by another field',
    { groupBy: { aggregate: [COUNT] }, sort: [{ field: 'age' }] },
    'sort.0.field',
    /"age"/,
  ],
  [
    'fields beside groups',
    { groupBy: { aggregate: [COUNT] }, fields: ['age'] },
    'fields',
    /groupBy/,
  ],
  ['a misspelt key', { groupBy: { aggregate: [COUNT], feilds: [] } }, 'groupBy.feilds', /"fields"/],
  [
    'SQL as an alias',
    { groupBy: { aggregate: [{ ...COUNT, alias: '' }] } },
    'groupBy.aggregate.0.alias',
    /./,
  ],
])('%s is refused', async (_, body, field, error) => {
  const response = await search(body)
  expect(response.status).toBe(400)
  expect(response.body.validations).toContainEqual({ field, error: expect.stringMatching(error) })
})

test('an alias is data, whatever it looks like', async () => {
  const alias = `"x', 1); drop table entities.thing; --`
  const groupBy = { aggregate: [{ ...COUNT, alias }] }
  expect(await groups(groupBy, { sort: [{ field: alias }] })).toEqual([{ [alias]: 5 }])
})

test('an average beyond what its type holds is refused', async () => {
  const { status, body } = await search({
    groupBy: { fields: [], aggregate: [{ function: 'AVG', field: 'huge' }] },
  })
  expect([status, body.error]).toEqual([400, expect.stringContaining('beyond the range')])
})
