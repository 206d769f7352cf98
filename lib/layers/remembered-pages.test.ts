import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { SearchInput } from '@/lib/search/search-input'
import { searchRecords } from '@/lib/search/search-records'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'

const deps = freshDeps()

const PROPERTIES = [
  { name: 'title', type: 'string' },
  { name: 'price', type: 'integer' },
]
const PAGE: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 2,
  count: 'exact',
}
const CHEAP = { conditions: [{ field: 'price', operator: 'lt', value: 3 }] }

beforeEach(async () => {
  await installTestEntity(deps, {
    entity: { name: 'Book', distribution: 'local' },
    schema: { properties: PROPERTIES },
  })
  await run(
    `insert into entities.book (id, title, price) select i, 'Book ' || i, i from generate_series(1, 9) i`,
  )
})

const run = (statement: string) => deps.db.execute(sql.raw(statement))
const titles = async (input: Partial<SearchInput> = {}, on = deps): Promise<string[]> =>
  JSON.parse((await searchRecords(on, 'Book', { ...PAGE, ...input })).data).map(
    ({ title }: { title: string }) => title,
  )

/** Changes records behind the triggers' back, so that only reading the table again would show it. */
async function changeUnnoticed() {
  await run('alter table entities.book disable trigger all')
  await run(`update entities.book set title = 'Changed ' || id`)
}

test.each<[string, Partial<SearchInput>]>([
  ['all records', {}],
  ['a condition', CHEAP],
])('a page of %s that has not changed is not read again', async (_, input) => {
  expect(await titles(input)).toEqual(['Book 1', 'Book 2'])
  expect(await titles(input)).toEqual(['Book 1', 'Book 2'])
  await changeUnnoticed()
  expect(await titles(input)).toEqual(['Book 1', 'Book 2'])
  expect(await titles(input, { ...deps })).toEqual(['Changed 1', 'Changed 2'])
})

test('a page by conditions that are used for the first time is not remembered', async () => {
  const NEW = { conditions: [{ field: 'price', operator: 'lt', value: 4 }] }
  await titles(NEW)
  await changeUnnoticed()
  expect(await titles(NEW)).toEqual(['Changed 1', 'Changed 2'])
})

test.each<[string, Partial<SearchInput>]>([
  ['page', { page: 1 }],
  ['size', { size: 3 }],
  ['order', { sort: [{ field: 'price', direction: 'desc' }] }],
  ['condition', CHEAP],
  ['choice of fields', { fields: ['title', 'price'] }],
  ['kind of count', { count: 'none' }],
])('another %s is another page', async (_, input) => {
  await titles()
  await changeUnnoticed()
  expect((await titles(input))[0]).toMatch(/^Changed/)
})

test.each([
  ['an insert', `insert into entities.book (id, title) values (0, 'New')`, ['New', 'Book 1']],
  ['an update', `update entities.book set title = 'New' where id = 2`, ['Book 1', 'New']],
  ['a deletion', `delete from entities.book where id = 1`, ['Book 2', 'Book 3']],
  ['TRUNCATE', `truncate entities.book`, []],
])('after %s the page is read again', async (_, statement, expected) => {
  await titles()
  await run(statement)
  expect(await titles()).toEqual(expected)
  expect(await titles()).toEqual(expected)
})

test('a changed definition changes the page, though no record has changed', async () => {
  await titles()
  const properties = [{ name: 'price', type: 'integer' }]
  await installTestEntity(deps, {
    entity: { name: 'Book', distribution: 'local' },
    schema: { properties },
  })
  expect(await titles()).toEqual([undefined, undefined])
})

test('a table that changes all the time is still read as it is', async () => {
  for (let n = 0; n < 40; n++) {
    await run(`update entities.book set title = 'Round ${n}' where id = 1`)
    expect((await titles())[0]).toBe(`Round ${n}`)
    expect((await titles())[0]).toBe(`Round ${n}`)
  }
})
