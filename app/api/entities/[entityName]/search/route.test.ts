import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { deps, get, idsOf, names, search } from './testing/items'

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
    const { total } = body.pagination
    // Of a cluster, one node speaks for all.
    expect(total).toEqual(testsOnCitus() ? expect.closeTo(30_000, -3.5) : 30_000)
    expect(body.pagination).toMatchObject({ pages: Math.ceil(total / 10), last: false })
    expect(body.meta).toEqual({ count: 'estimated' })
    const end = await get('count=estimated&size=1000&page=29', 'Many')
    const known = Math.max(total, 30_000) // the page holds the last of them
    expect(end.body.pagination).toMatchObject({ total: known, pages: Math.ceil(known / 1000) })
    expect(end.body.pagination.last).toBe(total <= 30_000)
    const few = await get('count=estimated&filter=id:gt:29990', 'Many')
    expect(few.body.pagination).toMatchObject({ total: 10, pages: 1 })
    expect(few.body.meta).toEqual({})
  })
})

const NESTED = (depth: number): object =>
  depth === 0
    ? { field: 'age', operator: 'eq', value: 1 }
    : { operator: 'and', filters: [NESTED(depth - 1)] }

test('a list has up to 10,000 values', async () => {
  const query = [{ field: 'id', operator: 'in', value: Array(10_000).fill(3) }]
  expect(idsOf(await search({ query }))).toEqual([3])
})

test('conditions nest eight levels deep', async () => {
  expect((await search({ query: [NESTED(8)] })).status).toBe(200)
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
