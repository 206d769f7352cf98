import { beforeAll, describe, expect, test } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET as READ } from '../[id]/route'
import { DELETE } from '../batch/route'
import { POST as COUNT } from '../count/route'
import { POST as EXPORT } from '../export/route'
import { POST as CREATE, GET } from '../route'
import { POST } from './route'

const deps = currentDeps()

beforeAll(async () => {
  await testDeps()
  const properties = [
    { name: 'doc', type: 'json' },
    { name: 'self', type: 'integer', reference: { entity: 'Thing', field: 'id' } },
  ]
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, [
    { doc: { a: 1 }, loose: { b: 1 } },
  ])
})

const params = { entityName: 'Thing' }
const post = (handler: typeof POST, body: unknown, method = 'POST') =>
  call(deps, handler, { method, path: '/', params, body, as: 'ADMIN' })

/** Half a surrogate pair, in both halves, and U+0000: PostgreSQL keeps neither. */
describe.each(['\ud800', '\udc00', '\u0000'])('a name with %j is refused', (odd) => {
  const path = `doc.${odd}`
  const test_ = { field: path, operator: 'eq', value: 1 }
  test.each<[string, object, string]>([
    ['a path of a condition', { query: [test_] }, 'query.0.field'],
    ['an undeclared path', { query: [{ ...test_, field: `loose.x.${odd}` }] }, 'query.0.field'],
    [
      'a path beyond a reference',
      { query: [{ ...test_, field: `self.${path}` }] },
      'query.0.field',
    ],
    [
      'a path of a nested condition',
      { query: [{ operator: 'not', filters: [test_] }] },
      'query.0.filters.0.field',
    ],
    ['a field that is no path', { fields: [odd] }, 'fields.0'],
    ['a field to return', { fields: [path] }, 'fields.0'],
    ['a sort', { sort: [{ field: path }] }, 'sort.0.field'],
    ['an expansion', { expand: [odd] }, 'expand.0'],
    [
      'a group',
      { groupBy: { fields: [path], aggregate: [{ function: 'COUNT' }] } },
      'groupBy.fields.0',
    ],
    [
      'an aggregate',
      { groupBy: { aggregate: [{ function: 'MAX', field: path }] } },
      'groupBy.aggregate.0.field',
    ],
    [
      'an alias',
      { groupBy: { aggregate: [{ function: 'COUNT', alias: odd }] } },
      'groupBy.aggregate.0.alias',
    ],
    ['a cursor', { pagination: { cursor: odd } }, 'pagination.cursor'],
    ['a value', { query: [{ ...test_, field: 'doc', value: { [odd]: 1 } }] }, 'query.0.value'],
    ['an entity', { entity: odd }, 'entity'],
  ])('as %s', async (_, body, field) => {
    const { status, body: response } = await post(POST, body)
    expect([status, response.validations?.[0]?.field]).toEqual([400, field])
  })

  test('in every other search by body', async () => {
    const query = [test_]
    expect((await post(COUNT, { query })).status).toBe(400)
    expect((await post(EXPORT, { query })).status).toBe(400)
    expect((await post(EXPORT, { fields: [path] })).status).toBe(400)
    expect((await post(DELETE, { entity: 'Thing', query }, 'DELETE')).status).toBe(400)
  })

  test('in a record, and as the name of one', async () => {
    expect((await post(CREATE, { [odd]: 1 })).status).toBe(400)
    expect((await post(CREATE, { loose: { [odd]: 1 } })).status).toBe(400)
    const at = (id: string, entityName = 'Thing') =>
      call(deps, READ, { path: '/', params: { entityName, id }, as: 'ADMIN' })
    expect((await at(odd)).status).toBe(404)
    expect((await at('1', odd)).status).toBe(404)
  })
})

test.each([
  'filter=doc.%00:eq:1',
  'sort=doc.%00',
  'fields=doc.%00',
  'expand=%00',
  'cursor=%00',
  'filter=doc:eq:%00',
])('a name of an address is refused: %s', async (query) => {
  const { status } = await call(deps, GET, { path: `/?${query}`, params, as: 'ADMIN' })
  expect(status).toBe(400)
})
