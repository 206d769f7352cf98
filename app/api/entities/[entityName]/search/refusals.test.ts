import { describe, expect, test } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { call } from '@/lib/testing/request'
import { POST } from './route'
import { deps, get, headers, search } from './testing/items'

const NESTED = (depth: number): object =>
  depth === 0
    ? { field: 'age', operator: 'eq', value: 1 }
    : { operator: 'and', filters: [NESTED(depth - 1)] }

describe('refuses with 400 a body', () => {
  const test1 = (field: unknown, operator: unknown, value?: unknown) => ({
    query: [{ field, operator, value }],
  })
  test.each<[name: string, body: unknown, field: string, error: RegExp]>([
    ['with a misspelt property', { filer: [] }, 'filer', /did you mean "filters"/],
    ['with a misspelt property inside', { pagination: { sise: 1 } }, 'pagination.sise', /"size"/],
    ['that is a list', [], '', /object/],
    ['with both query and filters', { query: [], filters: [] }, 'filters', /query/],
    ['for another entity', { entity: 'thing' }, 'entity', /Thing/],
    ['with a query that is no list', { query: {} }, 'query', /array/],
    ['with a condition that is none', { query: ['x'] }, 'query.0', /field, operator/],
    ['with an unknown field', test1('nmae', 'eq', 'x'), 'query.0.field', /did you mean "name"/],
    ['with a field in another case', test1('Name', 'eq', 'x'), 'query.0.field', /"name"/],
    ['without a field', test1(undefined, 'eq', 'x'), 'query.0.field', /Name a field/],
    ['with a field that is no text', test1(5, 'eq', 'x'), 'query.0.field', /Name a field/],
    ['with an unknown operator', test1('name', 'ilik', 'x'), 'query.0.operator', /"ilike"/],
    ['without an operator', test1('name', undefined, 'x'), 'query.0.operator', /eq, ne/],
    [
      'with an operator of Object',
      test1('name', 'constructor', 'x'),
      'query.0.operator',
      /Unknown/,
    ],
    [
      'with an operator for other kinds',
      test1('age', 'like', '1'),
      'query.0.operator',
      /whole number/,
    ],
    ['with a range of booleans', test1('active', 'gt', true), 'query.0.operator', /true or false/],
    ['with a range of arrays', test1('tags', 'gt', '[]'), 'query.0.operator', /a list/],
    ['with a misspelt key', { query: [{ fild: 1 }] }, 'query.0.fild', /"field"/],
    ['without a value', test1('name', 'eq'), 'query.0.value', /needs a value/],
    ['with a null to compare', test1('age', 'gt', null), 'query.0.value', /isnull/],
    ['with a null in a range', test1('age', 'between', [null, 1]), 'query.0.value', /null/],
    ['with one end of a range', test1('age', 'between', [1]), 'query.0.value', /two values/],
    ['with a text as a range', test1('age', 'between', '1'), 'query.0.value', /two values/],
    ['with a value for isnull', test1('age', 'isnull', false), 'query.0.value', /no value/],
    ['with a list for one', test1('age', 'eq', [1]), 'query.0.value', /whole number/],
    [
      'with a word as a number',
      test1('age', 'eq', 'old'),
      'query.0.value',
      /"age".*whole number.*"old"/,
    ],
    ['with true as a number', test1('age', 'eq', true), 'query.0.value', /whole number/],
    ['with nothing as a number', test1('age', 'eq', ''), 'query.0.value', /whole number/],
    ['with hexadecimal', test1('age', 'eq', '0x10'), 'query.0.value', /whole number/],
    ['with infinity', test1('score', 'eq', 'Infinity'), 'query.0.value', /number/],
    ['with a float out of range', test1('score', 'eq', '1e999'), 'query.0.value', /number/],
    ['with an endless exponent', test1('age', 'eq', '1e99999999'), 'query.0.value', /whole number/],
    ['with a word in a list', test1('age', 'in', [1, 'x']), 'query.0.value', /"x"/],
    ['with 1 as a boolean', test1('active', 'eq', 1), 'query.0.value', /true or false/],
    ['with a date that is none', test1('born', 'eq', '2023-02-29'), 'query.0.value', /date/],
    ['with a year 0', test1('born', 'eq', '0000-01-01'), 'query.0.value', /date/],
    ['with a datetime that is none', test1('seen', 'eq', 'today'), 'query.0.value', /ISO 8601/],
    ['with an hour that is none', test1('opens', 'eq', '24:00'), 'query.0.value', /time/],
    ['with an object as text', test1('name', 'eq', {}), 'query.0.value', /text/],
    ['with an object as a pattern', test1('address', 'like', {}), 'query.0.value', /text/],
    ['with text as an array', test1('tags', 'eq', 'red'), 'query.0.value', /a list/],
    ['with an array as an object', test1('address', 'eq', []), 'query.0.value', /an object/],
    ['with U+0000', test1('name', 'eq', 'a\u0000'), 'query.0.value', /U\+0000/],
    ['with half a surrogate pair', test1('name', 'eq', '\ud800'), 'query.0.value', /surrogate/],
    ['with U+0000 inside JSON', test1('tags', 'eq', ['\u0000']), 'query.0.value', /U\+0000/],
    ['with a path into text', test1('name.x', 'eq', 1), 'query.0.field', /neither JSON/],
    ['with an empty path', test1('address.', 'eq', 1), 'query.0.field', /path/],
    ['with an unknown path', test1('adress.x', 'eq', 1), 'query.0.field', /Unknown field/],
    ['with logic over nothing', { query: [{ operator: 'or' }] }, 'query.0.filters', /at least one/],
    ['with empty logic', { query: [{ operator: 'or', filters: [] }] }, 'query.0.filters', /one/],
    [
      'with logic that has a field',
      { query: [{ operator: 'and', field: 'age', filters: [NESTED(0)] }] },
      'query.0.field',
      /Unknown property/,
    ],
    ['nested too deep', { query: [NESTED(9)] }, `query.0${'.filters.0'.repeat(8)}`, /8 levels/],
    ['with too many conditions', { query: Array(501).fill(NESTED(0)) }, 'query.500', /500/],
    ['with too long a list', test1('age', 'in', Array(10_001).fill(1)), 'query.0.value', /10000/],
    ['with an unknown sort', { sort: [{ field: 'agee' }] }, 'sort.0.field', /"age"/],
    [
      'with a direction that is none',
      { sort: [{ field: 'age', direction: 2 }] },
      'sort.0.direction',
      /./,
    ],
    ['with an unknown output', { fields: ['nam'] }, 'fields.0', /"name"/],
    ['with a negative page', { pagination: { page: -1 } }, 'pagination.page', /0/],
    ['with a broken page', { pagination: { page: 1.5 } }, 'pagination.page', /whole/],
    ['with a page out of range', { pagination: { page: 2 ** 53 - 1 } }, 'page', /large/],
    ['with no size', { pagination: { size: 0 } }, 'pagination.size', /1/],
    ['with a huge size', { pagination: { size: 1001 } }, 'pagination.size', /1000/],
    ['with a count that is none', { count: 'fast' }, 'count', /exact/],
  ])('%s', async (_, body, field, error) => {
    const response = await search(body)
    expect(response.body.error).toBeTypeOf('string')
    expect(response.status).toBe(400)
    expect(response.body.validations).toContainEqual({ field, error: expect.stringMatching(error) })
  })

  test('naming every fault', async () => {
    const { body } = await search({
      query: [
        { field: 'nope', operator: 'nope', value: 1 },
        { operator: 'or', filters: [{ field: 'age', operator: 'eq', value: 'x' }] },
      ],
      sort: [{ field: 'nope' }],
      fields: ['nope'],
    })
    expect(body.validations.map(({ field }: { field: string }) => field)).toEqual([
      'query.0.field',
      'query.0.operator',
      'query.1.filters.0.value',
      'sort.0.field',
      'fields.0',
    ])
  })

  test('that is nested beyond reason', async () => {
    const deep = `{"query":${'[{"operator":"and","filters":'.repeat(100_000)}`
    expect((await search(deep)).status).toBe(400)
    const closed = `{"query":${'[{"operator":"and","filters":'.repeat(3000)}[]${'}]'.repeat(3000)}}`
    expect((await search(closed)).status).toBe(400)
  })
})

describe('refuses with 400 a URL', () => {
  test.each<[query: string, field: string, error: RegExp]>([
    ['filter=age', 'filter', /position 3/],
    ['filter=age:eq', 'filter', /position 6/],
    ['filter=age:', 'filter', /position 4.*operator/],
    ['filter=:eq:1', 'filter', /position 0.*field/],
    ['filter=age:eq:1,', 'filter', /position 9/],
    ['filter=age:isnull:1', 'filter', /position 10.*no value/],
    ['filter=name:eq:"Doe', 'filter', /position 8.*closed/],
    ['filter=name:eq:"Doe"x', 'filter', /position 13/],
    ['filter=name:eq:"a\\n"', 'filter', /position 11.*backslash/],
    ['filter=age:in:1|x', 'filter.0.value', /"x"/],
    ['filter=age:between:1', 'filter.0.value', /two/],
    ['filter=age:between:1|2|3', 'filter.0.value', /two/],
    ['filter=age:equals:1', 'filter.0.operator', /Unknown operator/],
    ['filter=age:isnul', 'filter.0.operator', /"isnull"/],
    ['filter=agee:eq:1', 'filter.0.field', /"age"/],
    ['filter=name:or:x', 'filter.0.filters', /list/],
    ['sort=agee', 'sort.0.field', /"age"/],
    ['sort=age:down', 'sort', /position 4/],
    ['sort=age,', 'sort', /position 4/],
    ['sort=age:asc:x', 'sort', /position 4/],
    ['fields=nam', 'fields.0', /"name"/],
    ['fields=name,,age', 'fields', /position 5/],
    ['page=-1', 'page', /whole/],
    ['page=x', 'page', /whole/],
    ['page=', 'page', /whole/],
    ['page=999999999999999&size=1000', 'page', /large/],
    ['size=0', 'size', /1/],
    ['size=1001', 'size', /1000/],
    ['size=10.5', 'size', /whole/],
    ['count=maybe', 'count', /exact/],
    ['filtre=age:eq:1', 'filtre', /"filter"/],
    ['page=1&page=2', 'page', /more than once/],
  ])('?%s', async (query, field, error) => {
    const response = await get(query)
    expect(response.status).toBe(400)
    expect(response.body.validations).toContainEqual({ field, error: expect.stringMatching(error) })
  })
})

describe('refuses', () => {
  test('no credential with 401', async () => {
    const path = '/api/entities/Thing/search'
    const params = { entityName: 'Thing' }
    expect((await call(deps, POST, { method: 'POST', path, params, body: {} })).status).toBe(401)
    expect((await call(deps, GET, { path, params })).status).toBe(401)
  })

  test('who may not read with 403', async () => {
    const params = { entityName: 'Thing' }
    const path = '/api/entities/Thing/search'
    const asked = { method: 'POST', path, params, body: {} }
    expect((await call(deps, POST, { ...asked, as: 'GUEST' })).status).toBe(403)
    const scopes = ['Other:read']
    expect((await call(deps, POST, { ...asked, as: 'ADMIN', scopes })).status).toBe(403)
  })

  test('an entity closed to reading with 403', async () => {
    expect((await search({}, 'Closed')).status).toBe(403)
    expect((await get('', 'Closed')).status).toBe(403)
  })

  test('an unknown entity with 404 and the nearest name', async () => {
    const { status, body } = await search({}, 'Thingg')
    expect(status).toBe(404)
    expect(body.error).toContain('"Thing"')
    expect((await search({}, 'thing')).status).toBe(404)
  })

  test('other methods with 405', async () => {
    const { PUT } = await import('./route')
    const { status, headers } = await call(deps, PUT, { method: 'PUT', path: '/', as: 'ADMIN' })
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('POST, OPTIONS')
  })

  test('another content type with 415', async () => {
    const asked = { method: 'POST', path: '/', params: { entityName: 'Thing' }, body: 'x=1' }
    const type = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await call(deps, POST, { ...asked, headers: type })).status).toBe(415)
  })
})
