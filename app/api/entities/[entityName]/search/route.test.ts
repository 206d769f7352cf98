import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { one, rows } from '@/lib/db/rows'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'integer' },
  { name: 'born', type: 'date' },
  { name: 'seen', type: 'datetime' },
  { name: 'opens', type: 'time' },
  { name: 'score', type: 'double' },
  { name: 'active', type: 'boolean' },
  { name: 'address', type: 'object' },
  { name: 'tags', type: 'array' },
]
const names = ['item 10', 'Item 2', 'item 1', null, 'ITEM 2', 'zebra', 'Äpfel', 'apfel']

beforeAll(async () => {
  await testDeps()
  const records = names.map((name, index) => ({ id: index + 1, name, age: index % 3 }))
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, [
    { ...records[0], seen: '2024-05-06T07:08:09.010Z', address: { b: 1, a: 'x' }, odd: { x: [1] } },
    ...records.slice(1),
  ])
  await installTestEntity(
    deps,
    {
      entity: {
        name: 'Pair',
        pks: [
          { key: 'code', strategy: 'Fixed', type: 'string' },
          { key: 'number', strategy: 'Fixed', type: 'number' },
        ],
      },
    },
    [
      { code: 'ä?>/"\\', number: 2, note: 'free' },
      { code: 'b', number: 1 },
    ],
  )
  await installTestEntity(deps, { entity: { name: 'Closed', permissions: { read: false } } })
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const search = (body: unknown, entityName = 'Thing', type = 'application/json') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/entities/${entityName}/search`,
    params: { entityName },
    headers: { ...headers, 'content-type': type },
    body,
  })
const get = (query: string, entityName = 'Thing') =>
  call(deps, GET, { path: `/api/entities/${entityName}?${query}`, params: { entityName }, headers })
const idsOf = ({ body }: { body: { data: JsonObject[] } }) => body.data.map(({ id }) => id)

describe('a record in the response', () => {
  test('has every declared field, the undeclared ones it was given, and its id', async () => {
    const { status, body } = await search({ pagination: { size: 1 } })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          ...{ id: 1, name: 'item 10', age: 0, born: null, seen: '2024-05-06T07:08:09.010Z' },
          ...{ opens: null, score: null, active: null, address: { a: 'x', b: 1 }, tags: null },
          ...{ persistenceId: '1', odd: { x: [1] } },
        },
      ],
      timestamp: expect.any(Number),
      code: 200,
      status: 'OK',
      meta: {},
      pagination: {
        ...{ current: 0, total: 8, pages: 8, first: true, last: false },
        next: expect.any(String),
      },
    })
  })

  test('has the fields that were asked for, in that order, and no other', async () => {
    const body = { fields: ['age', 'name', 'age'], pagination: { size: 1 } }
    const { text } = await search(body)
    expect(text).toContain('"data":[{"age":0,"name":"item 10"}]')
    expect((await get('fields=age,name&size=1')).text).toContain('[{"age":0,"name":"item 10"}]')
  })

  test('has its id when that is asked for', async () => {
    const { body } = await search({ fields: ['persistenceId'], pagination: { size: 2 } })
    expect(body.data).toEqual([{ persistenceId: '1' }, { persistenceId: '2' }])
  })

  test('has what lies inside JSON and undeclared fields when asked for', async () => {
    const fields = ['address.a', 'odd', 'odd.x.0', 'name']
    const { body } = await search({ fields, pagination: { size: 2 } })
    expect(body.data).toEqual([
      { name: 'item 10', 'address.a': 'x', odd: { x: [1] }, 'odd.x.0': 1 },
      { name: 'Item 2', 'address.a': null, odd: null, 'odd.x.0': null },
    ])
    expect((await search({ fields: ['odd'], pagination: { size: 1 } })).body.data).toEqual([
      { odd: { x: [1] } },
    ])
  })

  test('has all fields when the list of fields is empty', async () => {
    expect(Object.keys((await search({ fields: [] })).body.data[1])).toHaveLength(11)
  })

  test('has for a composite key base64url of its JSON', async () => {
    const { body } = await search({}, 'Pair')
    const keys = body.data.map(({ persistenceId }: { persistenceId: string }) =>
      JSON.parse(Buffer.from(persistenceId, 'base64url').toString()),
    )
    expect(keys).toEqual([
      { code: 'b', number: 1 },
      { code: 'ä?>/"\\', number: 2 },
    ])
    expect(body.data[1].persistenceId).toMatch(/^[\w-]+$/)
    expect(body.data[1].note).toBe('free')
  })

  test('may have more fields than a function takes arguments', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `f${index}`, type: 'string' }))
    const record = { ...Object.fromEntries(many.map(({ name }) => [name, name])), free: 1 }
    const entity = { name: 'Wide' }
    await installTestEntity(deps, { entity, schema: { properties: many } }, [record])
    const { body } = await search({ filters: [], sort: [{ field: 'f299' }] }, 'Wide')
    expect(body.data).toEqual([{ id: 1, ...record, persistenceId: '1' }])
  })

  test('has undeclared fields whatever their names', async () => {
    const odd = {
      "it's": 1,
      'a "b"': 2,
      [`${'long '.repeat(20)}`]: 3,
      'x:y,z': 4,
      __proto: 5,
      ключ: 6,
    }
    await installTestEntity(deps, { entity: { name: 'Odd' } }, [{ id: 1, ...odd }])
    expect((await search({}, 'Odd')).body.data).toEqual([{ id: 1, persistenceId: '1', ...odd }])
    for (const [field, value] of Object.entries(odd)) {
      const query = [{ field, operator: 'eq', value }]
      const { body } = await search({ fields: [field], query, sort: [{ field }] }, 'Odd')
      expect(body.data).toEqual([{ [field]: value }])
    }
    expect(idsOf(await get('filter="x:y,z":eq:4&sort="x:y,z":desc', 'Odd'))).toEqual([1])
  })
})

describe('the order', () => {
  test('of texts is natural, case-insensitive, nulls last, then by the key', async () => {
    expect(idsOf(await get('sort=name'))).toEqual([8, 7, 3, 2, 5, 1, 6, 4])
    expect(idsOf(await get('sort=name:desc'))).toEqual([6, 1, 5, 2, 3, 7, 8, 4])
  })

  test('may have several fields', async () => {
    const sort = [
      { field: 'age', direction: -1 },
      { field: 'name', direction: 'ASC' },
    ]
    expect(idsOf(await search({ sort }))).toEqual([3, 6, 8, 2, 5, 7, 1, 4])
    expect(idsOf(await get('sort=age:desc,name:asc'))).toEqual([3, 6, 8, 2, 5, 7, 1, 4])
  })

  test('without a sort is that of the key', async () => {
    expect(idsOf(await get(''))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('never shows a record on two pages', async () => {
    const seen: unknown[] = []
    for (let page = 0; page < 4; page++)
      seen.push(...idsOf(await get(`sort=age:desc&size=2&page=${page}`)))
    expect(seen).toEqual([6, 3, 8, 5, 2, 7, 4, 1])
  })
})

describe('pagination', () => {
  test.each([
    ['', { current: 0, total: 8, pages: 1, first: true, last: true }],
    ['size=3', { current: 0, total: 8, pages: 3, first: true, last: false }],
    ['size=3&page=2', { current: 2, total: 8, pages: 3, first: false, last: true }],
    ['size=4&page=1', { current: 1, total: 8, pages: 2, first: false, last: true }],
    ['size=3&page=9', { current: 9, total: 8, pages: 3, first: false, last: true }],
    ['filter=age:gt:9', { current: 0, total: 0, pages: 0, first: true, last: true }],
    ['filter=age:gt:9&page=3', { current: 3, total: 0, pages: 0, first: true, last: true }],
    ['size=3&count=none', { current: 0, total: null, pages: null, first: true, last: false }],
    ['size=8&count=none', { current: 0, total: null, pages: null, first: true, last: true }],
    [
      'size=4&page=1&count=none',
      { current: 1, total: null, pages: null, first: false, last: true },
    ],
    ['size=3&count=estimated', { current: 0, total: 8, pages: 3, first: true, last: false }],
  ])('of ?%s', async (query, pagination) => {
    const { status, body } = await get(query)
    expect(status).toBe(200)
    const { next, ...rest } = body.pagination
    expect(rest).toEqual(pagination)
    expect(typeof next).toBe(pagination.last ? 'undefined' : 'string')
    if (pagination.last && pagination.current > 5) expect(body.data).toEqual([])
  })

  test('may rest on an estimate where counting is slow', async () => {
    await installTestEntity(deps, { entity: { name: 'Many' } })
    await deps.db.execute(sql`insert into entities.many (id) select generate_series(1, 30000)`)
    await deps.db.execute(sql`analyze entities.many`)
    const { body } = await get('count=estimated', 'Many')
    expect(body.pagination).toMatchObject({ total: 30_000, pages: 3000, last: false })
    expect(body.meta).toEqual({ count: 'estimated' })
    const end = await get('count=estimated&size=1000&page=29', 'Many')
    expect(end.body.pagination).toMatchObject({ total: 30_000, pages: 30, last: true })
    const few = await get('count=estimated&filter=id:gt:29990', 'Many')
    expect(few.body.pagination).toMatchObject({ total: 10, pages: 1 })
    expect(few.body.meta).toEqual({})
  })
})

const NESTED = (depth: number): object =>
  depth === 0
    ? { field: 'age', operator: 'eq', value: 1 }
    : { operator: 'and', filters: [NESTED(depth - 1)] }

test('conditions nest eight levels deep', async () => {
  expect((await search({ query: [NESTED(8)] })).status).toBe(200)
})

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
    ['with an operator for other kinds', test1('age', 'like', '1'), 'query.0.operator', /integer/],
    ['with a range of booleans', test1('active', 'gt', true), 'query.0.operator', /boolean/],
    ['with a range of arrays', test1('tags', 'gt', '[]'), 'query.0.operator', /array/],
    ['with a misspelt key', { query: [{ fild: 1 }] }, 'query.0.fild', /"field"/],
    ['without a value', test1('name', 'eq'), 'query.0.value', /needs a value/],
    ['with a null to compare', test1('age', 'gt', null), 'query.0.value', /isnull/],
    ['with a null in a range', test1('age', 'between', [null, 1]), 'query.0.value', /null/],
    ['with one end of a range', test1('age', 'between', [1]), 'query.0.value', /two values/],
    ['with a text as a range', test1('age', 'between', '1'), 'query.0.value', /two values/],
    ['with a value for isnull', test1('age', 'isnull', false), 'query.0.value', /no value/],
    ['with a list for one', test1('age', 'eq', [1]), 'query.0.value', /integer/],
    [
      'with a word as a number',
      test1('age', 'eq', 'old'),
      'query.0.value',
      /"age".*integer.*"old"/,
    ],
    ['with true as a number', test1('age', 'eq', true), 'query.0.value', /integer/],
    ['with nothing as a number', test1('age', 'eq', ''), 'query.0.value', /integer/],
    ['with hexadecimal', test1('age', 'eq', '0x10'), 'query.0.value', /integer/],
    ['with infinity', test1('score', 'eq', 'Infinity'), 'query.0.value', /number/],
    ['with a float out of range', test1('score', 'eq', '1e999'), 'query.0.value', /number/],
    ['with an endless exponent', test1('age', 'eq', '1e99999999'), 'query.0.value', /integer/],
    ['with a word in a list', test1('age', 'in', [1, 'x']), 'query.0.value', /"x"/],
    ['with 1 as a boolean', test1('active', 'eq', 1), 'query.0.value', /boolean/],
    ['with a date that is none', test1('born', 'eq', '2023-02-29'), 'query.0.value', /date/],
    ['with a year 0', test1('born', 'eq', '0000-01-01'), 'query.0.value', /date/],
    ['with a datetime that is none', test1('seen', 'eq', 'today'), 'query.0.value', /ISO 8601/],
    ['with an hour that is none', test1('opens', 'eq', '24:00'), 'query.0.value', /time/],
    ['with an object as text', test1('name', 'eq', {}), 'query.0.value', /text/],
    ['with an object as a pattern', test1('address', 'like', {}), 'query.0.value', /text/],
    ['with text as an array', test1('tags', 'eq', 'red'), 'query.0.value', /JSON array/],
    ['with an array as an object', test1('address', 'eq', []), 'query.0.value', /JSON object/],
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

describe('nothing that a caller writes becomes SQL', () => {
  const attacks = [
    `'; drop table entities.thing; --`,
    `"; drop table entities.thing; --`,
    `\\'; drop table entities.thing; --`,
    `$1; drop table entities.thing`,
    `name" = '' or 1=1 --`,
    `{"a":"b'"}`,
    `"},'{`,
  ]
  test.each(attacks)('%s', async (attack) => {
    const values = ['name', 'address.x', 'tags', 'odd'].map((field) => ({
      field,
      operator: 'icontains',
      value: attack,
    }))
    const good = [{ query: [{ operator: 'or', filters: values }] }, { query: values }]
    for (const body of good) expect((await search(body)).body.data).toEqual([])
    const path = `address.${attack}`
    for (const body of [
      { fields: [attack] },
      { query: [{ field: attack, operator: 'eq', value: 1 }] },
      { query: [{ field: 'name', operator: attack, value: 1 }] },
      { sort: [{ field: attack }] },
      { sort: [{ field: 'name', direction: attack }] },
    ])
      expect((await search(body)).status).toBe(400)
    if (!attack.includes('.')) {
      const inside = { fields: [path], sort: [{ field: path }], pagination: { size: 1 } }
      expect((await search(inside)).body.data).toEqual([{ [path]: null }])
    }
    const found = await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int n from entities.thing`,
    )
    expect(one(found).n).toBe(names.length)
  })
})
