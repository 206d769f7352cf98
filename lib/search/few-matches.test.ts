import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { statementsOf } from '@/lib/testing/count-round-trips'
import { freshDeps, testsOfCore } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { SearchInput } from './search-input'
import { searchRecords } from './search-records'

const deps = freshDeps()

const properties = [
  { name: 'size', type: 'integer' },
  { name: 'due', type: 'date', meta: { indexed: true } },
]

/** Of `size` n there are n records, each third of them without `due`. */
const SIZES = [0, 1, 30, 1_999, 2_000, 2_001, 2_500]

beforeEach(async () => {
  await installTestEntity(deps, { entity: { name: 'Task' }, schema: { properties } })
  for (const size of SIZES)
    await deps.db.execute(sql`
      insert into entities.task (size, due)
      select ${size}::int, case when n % 3 > 0 then date '2020-01-01' + n % 1000 end
      from generate_series(1, ${size}::int) as n`)
})

const searchFor = (value: number, input: Partial<SearchInput> = {}): SearchInput => ({
  conditions: [{ field: 'size', operator: 'eq', value }],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 10,
  count: 'exact',
  ...input,
})

const idsOf = ({ data }: { data: string }) =>
  JSON.parse(data).map(({ id }: { id: number }) => id) as number[]

async function truth(value: number, order: string, page: number): Promise<number[]> {
  const found = one(
    await rows<{ ids: number[] | null }>(
      deps.db,
      sql`select jsonb_agg(id) as ids from (select id from entities.task where size = ${value}::int
        order by ${sql.raw(order)} limit 10 offset ${page * 10}) as page`,
    ),
  )
  return found.ids ?? []
}

test('a page and its total are exact, however many records match', async () => {
  for (const [direction, key] of [
    ['desc', 'desc'],
    ['asc', 'asc'],
  ] as const)
    for (const page of [0, 2, 60, 90])
      for (const value of [...SIZES, 30]) {
        const sort = [{ field: 'due', direction }]
        const found = await searchRecords(deps, 'Task', searchFor(value, { sort, page }))
        expect(found.pagination.total).toBe(value)
        const order = `due ${direction} nulls last, id ${key}`
        expect(idsOf(found), `${value} ${order} ${page}`).toEqual(await truth(value, order, page))
      }
})

test.skipIf(testsOfCore())(
  'few matches are found once, and not after there were many',
  async () => {
    const sort: SearchInput['sort'] = [{ field: 'due', direction: 'desc' }]
    // As another process, which remembers no total.
    const other = { ...deps }
    const textsOf = async (value: number) => {
      const texts = await statementsOf(other, () =>
        searchRecords(other, 'Task', searchFor(value, { sort })),
      )
      return texts.filter((text) => text.includes('"$found"'))
    }
    const few = await textsOf(30)
    expect(few).toHaveLength(1)
    expect(few[0]?.split('matching_rows(')).toHaveLength(2)
    expect(await textsOf(2_500)).toHaveLength(2)
    expect(await textsOf(2_001)).toHaveLength(1)
  },
)
