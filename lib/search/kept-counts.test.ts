import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { Actor, PolicyRule } from '@/lib/auth/rights'
import { readRecord } from '@/lib/records/read-record'
import { budget } from '@/lib/testing/budget'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { countRecords } from './count-records'
import type { SearchInput } from './search-input'
import { searchRecords } from './search-records'

const deps = freshDeps()

const NUMBERS = ['price', 'stock']
const TEAM = { name: 'team', type: 'string' }
const OWNER = {
  name: 'owner',
  type: 'integer',
  reference: { entity: 'Owner', field: 'id' },
}

const installThing = (more: object[] = []) =>
  installTestEntity(deps, {
    entity: { name: 'Thing' },
    schema: {
      properties: [...NUMBERS.map((name) => ({ name, type: 'integer' })), TEAM, OWNER, ...more],
    },
  })

type Thing = { id: number; price: number; stock: number; team: string }
const things: Thing[] = Array.from({ length: 60 }, (_, n) => ({
  id: n + 1,
  price: n % 7,
  stock: n % 4,
  team: 'abc'[n % 3] ?? '',
}))

beforeEach(async () => {
  await installTestEntity(deps, {
    entity: { name: 'Owner' },
    schema: { properties: [{ name: 'name', type: 'string' }] },
  })
  await installThing()
  await deps.db.execute(sql`insert into entities.owner (name) values ('Ada'), ('Bob')`)
  await deps.db.execute(sql`
    insert into entities.thing (price, stock, team, owner)
    select n % 7, n % 4, substr('abc', n % 3 + 1, 1), n % 2 + 1 from generate_series(0, 59) as n`)
})

const actorOf = (id: string, where?: PolicyRule['where']): Actor => ({
  type: 'user',
  id,
  name: id,
  userId: id,
  roles: [],
  scopes: null,
  address: null,
  policies: [
    { name: 'All', entities: ['*'], actions: ['read'], allow: true, ...(where && { where }) },
  ],
})
const own = [{ field: 'team', operator: 'eq', value: '$me' }]
const READERS = [
  { actor: null, sees: () => true },
  ...['a', 'b'].map((id) => ({
    actor: actorOf(id, own),
    sees: ({ team }: Thing) => team === id,
  })),
]

type Test = { field: 'price' | 'stock'; operator: 'eq' | 'lt' | 'gte'; value: number }
const holds = ({ field, operator, value }: Test, thing: Thing): boolean =>
  operator === 'eq'
    ? thing[field] === value
    : operator === 'lt'
      ? thing[field] < value
      : thing[field] >= value

const test$ = fc.record<Test>({
  field: fc.constantFrom('price', 'stock'),
  operator: fc.constantFrom('eq', 'lt', 'gte'),
  value: fc.nat(7),
})
const case$ = fc.record({
  tests: fc.array(test$, { maxLength: 2 }),
  reader: fc.constantFrom(...READERS),
  by: fc.constantFrom<string[]>(['team'], ['stock', 'team'], []),
  size: fc.constantFrom(1, 3, 50),
  page: fc.nat(1),
})

const groupsOf = (found: Thing[], by: string[]) => {
  const counts = new Map<string, number>()
  for (const thing of found) {
    const key = JSON.stringify(by.map((name) => thing[name as keyof Thing]))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  if (by.length === 0) return [[found.length]]
  return [...counts].map(([key, n]) => [...JSON.parse(key), n]).sort(compare)
}
const compare = (a: unknown[], b: unknown[]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

test('numbers and groups are those of the conditions, the reader and the page of each request', async () => {
  await fc.assert(
    fc.asyncProperty(case$, async ({ tests, reader, by, size, page }) => {
      const found = things.filter(
        (thing) => reader.sees(thing) && tests.every((one) => holds(one, thing)),
      )
      const conditions = { conditions: tests, conditionsName: 'query' as const }
      expect(await countRecords(deps, 'Thing', conditions, reader.actor)).toBe(found.length)
      const groupBy = { fields: by, aggregate: [{ function: 'COUNT' as const, alias: 'n' }] }
      const input: SearchInput = { ...conditions, sort: [], page, size, count: 'exact', groupBy }
      const { data, pagination } = await searchRecords(deps, 'Thing', input, reader.actor)
      const expected = groupsOf(found, by)
      expect(pagination.total).toBe(expected.length)
      expect(JSON.parse(data).map((group: object) => Object.values(group))).toEqual(
        expected.slice(page * size, (page + 1) * size),
      )
    }),
    budget(120, 11),
  )
})

const read = async (
  id: number,
  more: { fields?: string[]; expand?: string[] } = {},
  actor = actorOf('all'),
) => {
  const wanted = { entityName: 'Thing', id: String(id), fields: [], expand: [], ...more }
  const { data } = await readRecord(deps, { ...wanted, reader: actor })
  return JSON.parse(data)[0]
}

test('a record is read with the fields and references of each request', async () => {
  for (const id of [1, 2, 3, 4]) {
    const owner = expect.objectContaining({ name: id % 2 ? 'Ada' : 'Bob' })
    expect(await read(id, { expand: ['owner'] })).toMatchObject({ id, owner })
    expect(await read(id, { fields: ['team', 'owner.name'] })).toEqual({
      team: things[id - 1]?.team,
      'owner.name': id % 2 ? 'Ada' : 'Bob',
    })
    expect(await read(id, { fields: ['team', 'owner'], expand: ['owner'] })).toEqual({
      team: things[id - 1]?.team,
      owner,
    })
    expect(await read(id)).toMatchObject({ owner: id % 2 ? 1 : 2 })
  }
  await installThing([{ name: 'note', type: 'string' }])
  expect(await read(1, { expand: ['owner'] })).toHaveProperty('note', null)
})

test('a reader finds no record of others, whatever part it asks for', async () => {
  for (const more of [{}, { expand: ['owner'] }, { fields: ['price'] }])
    for (const id of ['a', 'b', 'a']) {
      const [mine, others] = id === 'a' ? [1, 2] : [2, 1]
      expect(await read(mine, more, actorOf(id, own))).toBeDefined()
      await expect(read(others, more, actorOf(id, own))).rejects.toMatchObject({
        code: 'not_found',
      })
    }
})
