import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { SearchInput } from './search-input'
import { searchRecords } from './search-records'

const deps = freshDeps()

const properties = [
  { name: 'status', type: 'string' },
  { name: 'due', type: 'date' },
  { name: 'joined', type: 'datetime', meta: { indexed: true } },
]
const indexes = [{ fields: ['status', 'due'] }]

const PAGE: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 10,
  count: 'none',
}

const READS = sql`
  select (pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as n
  from pg_class where oid = 'entities.task'::regclass`

/** Rows of the table that a search reads, on a connection on which `others` ran before. */
const readsOf = (input: SearchInput, others: SearchInput[] = []): Promise<number> =>
  deps.db.transaction(async (tx) => {
    for (const other of others) await searchRecords({ ...deps, db: tx }, 'Task', other)
    const before = one(await rows<{ n: number }>(tx, READS))
    await searchRecords({ ...deps, db: tx }, 'Task', input)
    return one(await rows<{ n: number }>(tx, READS)).n - before.n
  })

describe.skipIf(!testsOnPostgres())('of 20,000 records on a server', () => {
  beforeEach(async () => {
    await installTestEntity(deps, { entity: { name: 'Task', indexes }, schema: { properties } })
    await deps.db.execute(sql`
      insert into entities.task (status, due, joined)
      select case n % 2 when 0 then 'open' else 'done' end, date '2020-01-01' + n / 10,
        timestamptz '2020-01-01' + n * interval '1 minute'
      from generate_series(1, 20000) as n`)
    await deps.db.execute(sql`analyze entities.task`)
  })

  test.each<[string, Partial<SearchInput>]>([
    ['the first page', {}],
    ['a page by an indexed field, descending', { sort: [{ field: 'joined', direction: 'desc' }] }],
    [
      'a page of one value by the second field of an index, descending',
      {
        conditions: [{ field: 'status', operator: 'eq', value: 'open' }],
        sort: [{ field: 'due', direction: 'desc' }],
      },
    ],
    [
      'a page of a range by its own field, descending',
      {
        conditions: [{ field: 'joined', operator: 'lt', value: '2020-01-05T00:00:00Z' }],
        sort: [{ field: 'joined', direction: 'desc' }],
      },
    ],
  ])('%s reads few', async (_, input) => {
    expect(await readsOf({ ...PAGE, ...input })).toBeLessThan(100)
  })

  test('a page and the total of a rare value are found by its index after ten common ones', async () => {
    const before = (day: number): SearchInput => ({
      ...PAGE,
      conditions: [{ field: 'joined', operator: 'lt', value: `2020-01-0${day}T00:10:00Z` }],
      count: 'exact',
    })
    const common = Array.from({ length: 10 }, () => before(2))
    expect(await readsOf(before(2), common)).toBeGreaterThan(1_400)
    expect(await readsOf(before(1), common)).toBeLessThan(100)
  })
})
