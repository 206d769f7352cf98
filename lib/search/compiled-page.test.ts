import { expect, test } from 'vitest'
import { splitPart } from '@/lib/db/compiled-statement'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { Json } from '@/lib/values/json'
import { compiledPage } from './compiled-page'
import { findTarget } from './find-target'
import { resolveSearch } from './resolve-search'
import type { SearchInput } from './search-input'
import { whereSql } from './to-sql'

const deps = freshDeps()

const properties = [
  { name: 'name', type: 'string' },
  { name: 'about', type: 'text', meta: { searchable: { weight: 'A' } } },
  { name: 'home', type: 'location', meta: { indexed: true } },
]

const PAGE: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 10,
  count: 'none',
}

const condition = (field: string, operator: string, value: Json) => ({ field, operator, value })

test.each<[string, (n: number) => Partial<SearchInput>]>([
  ['an equal value', (n) => ({ conditions: [condition('name', 'eq', `Person ${n}`)] })],
  [
    'the distance from a place',
    (n) => ({
      conditions: [condition('home', 'near', [n, n, 50])],
      sort: [{ field: 'home.$distance', direction: 'asc' }],
      fields: ['home.$distance'],
    }),
  ],
  ['words, by rank and with marks', (n) => ({ q: `word${n}`, fields: ['$highlight', '$rank'] })],
])('a page of %s is one statement for all values', async (_, of) => {
  await installTestEntity(deps, { entity: { name: 'Person' }, schema: { properties } })
  const target = await findTarget(deps, 'Person')
  const compiled = (n: number) => {
    const search = resolveSearch(target, { ...PAGE, ...of(n) })
    const where = splitPart(whereSql(search.where))
    return compiledPage(target, search, where, { limit: 10, part: 'all' })
  }
  const [one, other] = [compiled(1), compiled(2)]
  expect(other.statement).toBe(one.statement)
  expect(other.values).not.toEqual(one.values)
  expect(Object.keys(other.values)).toEqual(Object.keys(one.values))
})
