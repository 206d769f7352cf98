import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SearchInput } from '@/lib/search/search-input'
import { searchRecords } from '@/lib/search/search-records'
import { statementsOf } from '@/lib/testing/count-round-trips'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { Json } from '@/lib/values/json'

// One slot for searches on a server too.
const deps = freshDeps({ DATABASE_POOL_SIZE: '2' })

const properties = [
  { name: 'title', type: 'string', meta: { searchable: true } },
  { name: 'price', type: 'integer' },
  { name: 'stock', type: 'integer', meta: { indexed: true } },
]
const RECORDS = 300

const PAGE: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 1,
  count: 'exact',
}
type Condition = { field: string; operator: string; value: string | number | null }
const named = (value: string): Condition => ({ field: 'title', operator: 'contains', value })
const from = (value: number): Condition => ({ field: 'price', operator: 'gte', value })

beforeEach(async () => {
  await installTestEntity(deps, {
    entity: { name: 'Book', distribution: 'local' },
    schema: { properties },
  })
  await deps.db.execute(sql`
    insert into entities.book (id, title, price, stock)
    select i, case i % 2 when 0 then 'Even ' else 'Odd ' end || i,
      case when i % 5 > 0 then i end, i from generate_series(1, ${RECORDS}::int) i`)
})

/** Those of the records that `insert` above makes and that match; in the words of JavaScript. */
const expected = (isMatch: (i: number) => boolean) =>
  Array.from({ length: RECORDS }, (_, at) => at + 1).filter(isMatch).length

const isEven = (i: number) => i % 2 === 0
const hasPrice = (i: number) => i % 5 > 0

/** Totals of searches that begin at the same time, and the statements that count several of them. */
async function search(lists: Json[][]): Promise<{ totals: unknown[]; together: number }> {
  let totals: unknown[] = []
  const statements = await statementsOf(deps, async () => {
    const pages = lists.map((conditions) => searchRecords(deps, 'Book', { ...PAGE, conditions }))
    totals = (await Promise.all(pages)).map(({ pagination }) => pagination.total)
  })
  return { totals, together: statements.filter((text) => text.includes('filter (where')).length }
}

const least = Array.from({ length: 12 }, (_, n) => n * 20)

describe('searches that wait for a slot', () => {
  test('are read by one statement where they share a condition', async () => {
    const { totals, together } = await search(least.map((n) => [named('Even'), from(n)]))
    expect(totals).toEqual(least.map((n) => expected((i) => isEven(i) && hasPrice(i) && i >= n)))
    expect(together).toBe(2) // six at a time
  })

  test('may be the same, or have nothing else', async () => {
    const lists = least.map((n) => (n % 40 ? [named('Even')] : [from(20), named('Even')]))
    const { totals, together } = await search(lists)
    const ofAll = expected(isEven)
    const ofSome = expected((i) => isEven(i) && hasPrice(i) && i >= 20)
    expect(totals).toEqual(least.map((n) => (n % 40 ? ofAll : ofSome)))
    expect(together).toBe(2)
  })

  test('are read in groups of those that share one', async () => {
    const words = ['Even', 'Odd', '1', '2']
    // Others than above: what is known of those is remembered.
    const least = Array.from({ length: 12 }, (_, n) => n * 20 + 7)
    const lists = least.map((n, at) => [named(words[at % words.length] ?? ''), from(n)])
    const { totals, together } = await search(lists)
    expect(totals).toEqual(
      least.map((n, at) =>
        expected((i) => {
          const title = `${isEven(i) ? 'Even' : 'Odd'} ${i}`
          return title.includes(words[at % words.length] ?? '') && hasPrice(i) && i >= n
        }),
      ),
    )
    expect(together).toBe(words.length)
  })

  test('are read alone where what they do not share has an index', async () => {
    const lists = least.map((value) => [
      named('Even'),
      { field: 'stock', operator: 'gt', value } satisfies Condition,
    ])
    const { totals, together } = await search(lists)
    expect(totals).toEqual(least.map((n) => expected((i) => isEven(i) && i > n)))
    expect(together).toBe(0)
  })

  test('show what a later one finds, though a record was added meanwhile', async () => {
    const conditions = [named('Even'), from(20)]
    await search(least.map((n) => [named('Even'), from(n)]))
    await deps.db.execute(
      sql`insert into entities.book (id, title, price) values (1000, 'Even', 9000)`,
    )
    const { totals } = await search([conditions])
    expect(totals).toEqual([expected((i) => isEven(i) && hasPrice(i) && i >= 20) + 1])
  })

  test('return the pages that each returns alone, whatever they are', async () => {
    const inputs = Array.from({ length: 60 }, (_, n) => ({ ...PAGE, ...inputOf(n) }))
    const pages = await Promise.all(inputs.map((input) => searchRecords(deps, 'Book', input)))
    const alone: unknown[] = []
    // Each as another process, which remembers nothing.
    for (const input of inputs) alone.push(await searchRecords({ ...deps }, 'Book', input))
    expect(pages).toEqual(alone)
  })
})

/** The same for the same number. */
const inputOf = (n: number): Partial<SearchInput> => ({
  conditions: conditionsOf(n),
  size: 1 + (n % 4) * 40,
  page: n % 3,
  fields: n % 5 ? undefined : ['title'],
  sort: n % 2 ? [{ field: 'stock', direction: 'desc' }] : [],
})

/** One to three of some conditions, and combinations of them; the same for the same number. */
function conditionsOf(n: number) {
  const some: Condition[] = [
    named('Even'),
    named('1'),
    { field: 'price', operator: 'isnull', value: null },
    { field: 'price', operator: 'ne', value: 7 },
    { field: 'stock', operator: 'lt', value: 150 },
    from(100),
  ]
  const at = (step: number) => some[(n * step) % some.length] as Condition
  const either = { operator: 'or', filters: [at(5), from(n)] }
  const not = { operator: 'not', filters: [from(n)] }
  return [at(1), ...(n % 2 ? [at(3)] : []), ...(n % 3 ? [either] : [not])]
}
