import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { ConditionInput, SearchInput } from './search-input'
import { searchRecords } from './search-records'

const RECORDS = 200_000

const properties = [
  { name: 'name', type: 'string', meta: { searchable: true } },
  { name: 'status', type: 'string', meta: { indexed: true } },
  { name: 'joined', type: 'datetime', meta: { indexed: true } },
]

const searchFor = (condition: ConditionInput): SearchInput => ({
  conditions: [condition],
  conditionsName: 'query',
  sort: [{ field: 'joined', direction: 'desc' }],
  page: 0,
  size: 10,
  count: 'none',
})

type Reads = { scanned: number; fetched: number }

/** Rows that were read from the table in this transaction: by scanning it, and by its indexes. */
const READS = sql`
  select pg_stat_get_xact_tuples_returned(oid)::int as scanned,
    pg_stat_get_xact_tuples_fetched(oid)::int as fetched
  from pg_class where oid = 'entities.person'::regclass`

describe.skipIf(!testsOnPostgres())('two hundred thousand records', () => {
  let deps: Deps

  // One open record in twenty thousand; they are the oldest.
  beforeAll(async () => {
    deps = await testDeps()
    await installTestEntity(deps, { entity: { name: 'Person' }, schema: { properties } })
    await deps.db.execute(sql`
      insert into entities.person (name, status, joined)
      select 'Person ' || n, case when n <= 10 then 'open' else 'done' end,
        timestamptz '2020-01-01' + n * interval '1 minute'
      from generate_series(1, ${sql.raw(String(RECORDS))}) as n`)
    await deps.db.execute(sql`vacuum (analyze) entities.person`)
  })

  /** Rows read for `last`, on a connection on which `first` was searched ten times. */
  async function readsOf(first: SearchInput[], last: SearchInput): Promise<number> {
    return deps.db.transaction(async (tx) => {
      const inside: Deps = { ...deps, db: tx }
      for (const input of first) await searchRecords(inside, 'Person', input)
      const before = one(await rows<Reads>(tx, READS))
      expect((await searchRecords(inside, 'Person', last)).data).not.toBe('[]')
      const after = one(await rows<Reads>(tx, READS))
      return after.scanned + after.fetched - before.scanned - before.fetched
    })
  }

  const tenTimes = (input: (n: number) => SearchInput) =>
    Array.from({ length: 10 }, (_, n) => input(n))

  test('a rare pattern is found by its index after ten searches for common ones', async () => {
    const like = (value: string) => searchFor({ field: 'name', operator: 'ilike', value })
    const common = tenTimes((n) => like(`person ${n}`))
    expect(await readsOf(common, like('on 77777'))).toBeLessThan(5_000)
    const rare = tenTimes((n) => like(`on 54${n}21`))
    expect(await readsOf(rare, like('person 154321'))).toBeLessThan(5_000)
  })

  test('a rare value is found by its index after ten searches for a common one', async () => {
    const status = (value: string) => searchFor({ field: 'status', operator: 'eq', value })
    expect(
      await readsOf(
        tenTimes(() => status('done')),
        status('open'),
      ),
    ).toBeLessThan(5_000)
  })
})
