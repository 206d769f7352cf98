import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { type Model, type ModelSort, searchModel } from '@/lib/testing/search-model'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const COUNT = 3500
const kinds: Model['kinds'] = { id: 'number', name: 'text', age: 'number', seen: 'datetime' }
const model: Model = {
  kinds,
  key: 'id',
  records: Array.from({ length: COUNT }, (_, index) => {
    const id = index + 1
    return {
      id,
      name: id % 3 === 0 ? null : `${id % 2 ? 'Item' : 'item'} ${(id * 37) % 400}`,
      age: id % 5 === 0 ? null : (id * 7919) % 50,
      seen: id % 2 ? null : new Date(Date.UTC(2024, 0, 1) + ((id * 31) % 97) * 1000).toISOString(),
    }
  }),
}

beforeAll(async () => {
  await testDeps()
  const properties = [
    { name: 'name', type: 'string', indexed: true },
    { name: 'age', type: 'integer', indexed: true },
    { name: 'seen', type: 'datetime', indexed: true },
  ]
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } })
  await deps.db.execute(sql`
    insert into entities.thing (id, name, age, seen)
    select * from jsonb_to_recordset(${JSON.stringify(model.records)}::text::jsonb)
      as r (id bigint, name text, age bigint, seen timestamptz)`)
  await deps.db.execute(sql`analyze entities.thing`)
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const by = (...terms: string[]): ModelSort[] =>
  terms.map((term) => {
    const [field = '', direction] = term.split(' ')
    return { field, direction: direction === 'desc' ? 'desc' : 'asc' }
  })

const ALTERNATIVES = [
  { field: 'age', operator: 'gt', value: 20 },
  { field: 'seen', operator: 'isnull' },
]

test.each([
  ['the key', by(), []],
  ['the key, descending', by('id desc'), []],
  ['a text', by('name'), []],
  ['a text, descending', by('name desc'), []],
  ['an instant, descending', by('seen desc'), []],
  ['several fields', by('age desc', 'name', 'seen desc'), []],
  ['a field, filtered', by('age desc'), [{ field: 'name', operator: 'istarts', value: 'ITEM' }]],
  ['nulls alone', by('seen desc', 'name desc'), [{ field: 'seen', operator: 'isnull' }]],
  ['no nulls', by('seen desc', 'age'), [{ field: 'seen', operator: 'notnull' }]],
  ['another text', by('name desc'), [{ field: 'name', operator: 'ne', value: 'Item 37' }]],
  ['one of several conditions', by('age desc'), [{ operator: 'or', filters: ALTERNATIVES }]],
])('pages by %s are one order, however deep', async (_, sort, query) => {
  const found = searchModel(model, query, sort).map(({ id }) => id)
  for (const [size, pages] of [
    [1000, [0, 1, 2, 3, 4]],
    [7, [0, 1, 200, 249, 250, 251, 331, 332, 333, 334, 499, 500]],
  ] as const) {
    for (const page of pages) {
      const body = { query, sort, pagination: { page, size }, fields: ['id'], count: 'none' }
      const asked = { method: 'POST', path: '/', params: { entityName: 'Thing' }, headers, body }
      const response = await call(deps, POST, asked)
      expect(response.body.data.map(({ id }: JsonObject) => id)).toEqual(
        found.slice(page * size, (page + 1) * size),
      )
      expect(response.body.pagination.last).toBe((page + 1) * size >= found.length)
    }
  }
})
