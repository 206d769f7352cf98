import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { freshDeps, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { SearchInput } from './search-input'
import { searchRecords } from './search-records'

const deps = freshDeps()

const properties = [
  { name: 'name', type: 'string', meta: { indexed: true } },
  { name: 'joined', type: 'datetime', meta: { indexed: true } },
]

const PAGE: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 10,
  count: 'none',
}
const NEWEST: SearchInput = { ...PAGE, sort: [{ field: 'joined', direction: 'desc' }] }

type Plans = { generic: number; custom: number }

/** How often statements on the entity's table were planned for any values, and for their own. */
const PLANS = sql`
  select coalesce(sum(generic_plans), 0)::int as generic, coalesce(sum(custom_plans), 0)::int as custom
  from pg_prepared_statements where statement like '%"entities"."person"%'`

/** Of eleven times the same search on one connection; `after`: of what follows its first page. */
async function plansOf(wanted: SearchInput | (() => SearchInput), after = false): Promise<Plans> {
  const input = () => (typeof wanted === 'function' ? wanted() : wanted)
  return deps.db.transaction(async (tx) => {
    // Each as another process, which remembers no page.
    const search = (cursor?: SearchInput['cursor']) =>
      searchRecords({ ...deps, db: tx } as Deps, 'Person', { ...input(), cursor })
    const { pagination } = await search()
    const cursor = after ? { name: 'cursor', cursor: pagination.next ?? '' } : undefined
    const before = one(await rows<Plans>(tx, PLANS))
    for (let n = 0; n < 11; n++) await search(cursor)
    const { generic, custom } = one(await rows<Plans>(tx, PLANS))
    return { generic: generic - before.generic, custom: custom - before.custom }
  })
}

describe.skipIf(!testsOnPostgres() || testsThroughPooler())('on a server', () => {
  beforeEach(async () => {
    await installTestEntity(deps, {
      entity: { name: 'Person', distribution: 'local' },
      schema: { properties },
    })
    await deps.db.execute(sql`
      insert into entities.person (name, joined)
      select 'Person ' || n, timestamptz '2020-01-01' + n * interval '1 minute'
      from generate_series(1, 20000) as n`)
    await deps.db.execute(sql`analyze entities.person`)
  })

  test.each<[string, SearchInput]>([
    ['the first page', PAGE],
    ['the first page by a field that may be empty, descending', NEWEST],
    ['the first page and the total', { ...NEWEST, count: 'exact' }],
  ])('%s is planned once', async (_, input) => {
    expect((await plansOf(input)).generic).toBeGreaterThan(3)
    expect((await plansOf(input)).custom).toBeLessThan(6)
  })

  test('what follows a cursor is planned once', async () => {
    expect((await plansOf(NEWEST, true)).generic).toBeGreaterThan(3)
  })

  test('a search by a value is planned for that value', async () => {
    const conditions = [{ field: 'name', operator: 'eq' as const, value: 'Person 7' }]
    expect(await plansOf({ ...NEWEST, conditions })).toEqual({ generic: 0, custom: 0 })
  })

  const since = (day: string): SearchInput['conditions'] => [
    { field: 'joined', operator: 'gte', value: `2020-01-${day}T00:00:00Z` },
  ]

  test('a range of what a page is sorted by is planned once, whatever the value', async () => {
    let n = 0
    const page = (): SearchInput => ({
      ...NEWEST,
      conditions: since(String(2 + (n++ % 9)).padStart(2, '0')),
    })
    expect((await plansOf(page)).generic).toBeGreaterThan(3)
  })

  test('a range of another field is planned for its value', async () => {
    const sort: SearchInput['sort'] = [{ field: 'name', direction: 'asc' }]
    const found = await plansOf({ ...NEWEST, sort, conditions: since('05') })
    expect(found.generic).toBe(0)
  })

  test('with its total, all but what finds the value is planned once', async () => {
    // Never the same: a total that is known is not counted.
    const ofName = (n: number): SearchInput => {
      const conditions = [{ field: 'name', operator: 'eq' as const, value: `Person ${n}` }]
      return { ...NEWEST, count: 'exact', conditions }
    }
    let last = 0
    const found = await plansOf(() => ofName(++last))
    expect(found.generic).toBeGreaterThan(3)
  })
})
