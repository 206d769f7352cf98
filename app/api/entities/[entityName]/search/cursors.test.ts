import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const COUNT = 2000

beforeAll(async () => {
  await testDeps()
  const properties = [
    { name: 'name', type: 'string', indexed: true },
    { name: 'age', type: 'integer', indexed: true },
    { name: 'seen', type: 'datetime' },
    { name: 'score', type: 'double' },
    { name: 'active', type: 'boolean' },
  ]
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, [
    { id: 100_000, mood: 'only to make the name known' },
  ])
  await deps.db.execute(sql`
    insert into entities.thing (id, name, age, seen, score, active, "$extra")
    select n, case when n % 3 > 0 then (array['Item ', 'item ', 'ITEM '])[n % 3 + 1] || n * 37 % 40 end,
      case when n % 5 > 0 then n * 7919 % 50 end,
      timestamptz '2024-01-01' + n * 31 % 97 * interval '1 second', n % 7 / 3.0::float8, n % 2 = 0,
      (array['{"mood": 5}', '{"mood": "5"}', '{"mood": null}', null, '{"mood": {"a": 1}}', '{"mood": 1.50}']::jsonb[])[n % 6 + 1]
    from generate_series(1, ${sql.raw(String(COUNT - 1))}) as n`)
  const composite = [
    { key: 'code', strategy: 'Fixed', type: 'string' },
    { key: 'part', strategy: 'Fixed', type: 'number' },
  ]
  const pairs = ['a', 'A', 'b', 'item 2', 'Item 10'].flatMap((code) =>
    [1, 2, 3].map((part) => ({ code, part, size: part % 2 ? part : null })),
  )
  await installTestEntity(deps, { entity: { name: 'Pair', pks: composite } }, pairs)
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

type Body = { [key: string]: unknown; pagination: object }
const ask = (body: Body, entityName = 'Thing') =>
  call(deps, POST, { method: 'POST', path: '/', params: { entityName }, headers, body })
const get = (query: string) =>
  call(deps, GET, {
    path: `/api/entities/Thing?${query}`,
    params: { entityName: 'Thing' },
    headers,
  })

/** Every record by cursors, `size` at a time. `between` runs after each response. */
async function walk(
  body: object,
  size: number,
  entityName = 'Thing',
  between: (step: number) => Promise<unknown> = async () => {},
) {
  const found: JsonObject[] = []
  let cursor: string | undefined
  for (let step = 0; ; step++) {
    const pagination = cursor === undefined ? { size } : { size, cursor }
    const response = await ask({ count: 'none', ...body, pagination }, entityName)
    expect(response.status).toBe(200)
    found.push(...response.body.data)
    cursor = response.body.pagination.next
    expect(response.body.pagination.last).toBe(cursor === undefined)
    if (cursor === undefined) return found
    await between(step)
  }
}

const by = (...terms: string[]) =>
  terms.map((term) => ({ field: term.split(' ')[0], direction: term.split(' ')[1] ?? 'asc' }))

test.each([
  ['the key', by()],
  ['the key, descending', by('id desc')],
  ['a text', by('name')],
  ['a text, descending', by('name desc')],
  ['a number that may be missing', by('age')],
  ['a number that may be missing, descending', by('age desc')],
  ['mixed directions', by('age desc', 'name', 'seen desc')],
  ['few values', by('active', 'score desc')],
  ['an instant, the key the other way', by('seen', 'id desc')],
  ['an undeclared field', by('mood')],
  ['an undeclared field, descending', by('mood desc', 'name')],
])('walking by %s is the unpaged order', async (_, sort) => {
  const pages = [0, 1, 2].map((page) => ask({ sort, pagination: { page, size: 1000 } }))
  const whole = (await Promise.all(pages)).flatMap(({ body }) => body.data)
  expect(whole).toHaveLength(COUNT)
  expect(await walk({ sort }, 83)).toEqual(whole)
})

test.each([
  ['the key', by()],
  ['the key, descending', by('part desc')],
  ['a part of the key', by('code desc', 'size')],
  ['a field', by('size')],
])('composite keys: walking by %s is the unpaged order', async (_, sort) => {
  const whole = await ask({ sort, pagination: { size: 1000 } }, 'Pair')
  for (const size of [1, 2, 7]) expect(await walk({ sort }, size, 'Pair')).toEqual(whole.body.data)
})

test('a cursor continues from any page, in body and URL alike', async () => {
  const query = [{ field: 'age', operator: 'gte', value: 10 }]
  const pagination = { page: 3, size: 20 }
  const page = await ask({ query, sort: by('name'), pagination })
  const response = await get(
    `filter=age:gte:10&sort=name&size=20&cursor=${page.body.pagination.next}`,
  )
  const following = await ask({ query, sort: by('name'), pagination: { page: 4, size: 20 } })
  expect(response.body.data).toEqual(following.body.data)
  expect(response.body.pagination).toEqual({
    current: null,
    total: null,
    pages: null,
    first: false,
    last: false,
    next: following.body.pagination.next,
  })
})

test('there is no cursor where there is no more', async () => {
  const full = await ask({ pagination: { page: 1, size: COUNT / 2 } })
  expect(full.body.pagination).toMatchObject({ last: true, total: COUNT })
  expect(full.body.pagination.next).toBeUndefined()
  const past = await ask({ pagination: { page: 9, size: COUNT / 2 } })
  expect(past.body.pagination.next).toBeUndefined()
})

test('matches are counted after a cursor when that is asked for', async () => {
  const { next } = (await get('size=100&count=none')).body.pagination
  const response = await get(`size=100&count=exact&cursor=${next}`)
  expect(response.body.pagination).toMatchObject({ current: null, total: COUNT, pages: 20 })
  expect(response.body.data).toHaveLength(100)
})

test('the size and the fields may change on the way', async () => {
  const { next } = (await get('size=5')).body.pagination
  const response = await get(`size=2&fields=id&cursor=${next}`)
  expect(response.body.data).toEqual([{ id: 6 }, { id: 7 }])
})

test.each([
  ['another sort', 'sort=name:desc'],
  ['another direction', 'sort=id:desc'],
  ['another filter', 'filter=age:gt:5'],
  ['a sort more', 'sort=age,name'],
])('a cursor of %s is refused', async (_, query) => {
  const { next } = (await get('size=5&sort=age')).body.pagination
  const response = await get(`size=5&${query}&cursor=${next}`)
  expect(response.status).toBe(400)
  expect(response.body.validations).toEqual([
    { field: 'cursor', error: expect.stringContaining('not a cursor of this search') },
  ])
})

test('a cursor of another entity is refused', async () => {
  const { next } = (await ask({ pagination: { size: 2 } }, 'Pair')).body.pagination
  expect((await ask({ pagination: { cursor: next } })).status).toBe(400)
})

test.each(['x', 'AAAA', '%00', `${'A'.repeat(22)}WyIxIl0`])(
  'the cursor %s is refused',
  async (text) => {
    expect((await get(`cursor=${text}`)).status).toBe(400)
  },
)

test('an altered cursor is refused', async () => {
  const next: string = (await get('size=5')).body.pagination.next
  const bytes = Buffer.from(next, 'base64url')
  bytes[bytes.length - 3] = '9'.charCodeAt(0)
  expect((await get(`cursor=${bytes.toString('base64url')}`)).status).toBe(400)
})

test('a cursor excludes a page, and groups have none', async () => {
  const { next } = (await get('size=5')).body.pagination
  const byUrl = await get(`page=0&cursor=${next}`)
  expect(byUrl.body.validations[0].field).toBe('page')
  const byBody = await ask({ pagination: { page: 1, cursor: next } })
  expect(byBody.body.validations[0].field).toBe('pagination.page')
  const groups = await ask({
    groupBy: { fields: ['age'], aggregate: [{ function: 'COUNT' }] },
    pagination: { cursor: next },
  })
  expect(groups.body.validations[0].field).toBe('pagination.cursor')
})

test('a walk returns each record once while others are created and deleted', async () => {
  // On a server it is quick: a million records in a thousand steps.
  const count = deps.dialect === 'postgres' ? 1_000_000 : 20_000
  const properties = [{ name: 'rank', type: 'integer', indexed: true }]
  await installTestEntity(deps, { entity: { name: 'Many' }, schema: { properties } })
  await deps.db.execute(sql`
    insert into entities.many (id, rank)
    select n * 2, case when n % 10 > 0 then (n::bigint * 7919) % 100003 end
    from generate_series(1, ${sql.raw(String(count))}) as n`)
  await deps.db.execute(sql`analyze entities.many`)
  const doomed = new Set(Array.from({ length: 200 }, (_, index) => 2 * (index + 1) * (count / 200)))
  const stale = [...doomed]
  const found = await walk(
    { sort: by('rank desc'), fields: ['id'] },
    count / 1000,
    'Many',
    async (step) => {
      await deps.db.execute(
        sql`insert into entities.many (id, rank) values (${step * 2 + 1}, ${(step * 104_729) % 100_003})`,
      )
      const gone = stale.pop()
      if (gone) await deps.db.execute(sql`delete from entities.many where id = ${gone}`)
    },
  )
  const ids = found.map(({ id }) => Number(id))
  expect(new Set(ids).size).toBe(ids.length)
  const kept = ids.filter((id) => id % 2 === 0 && !doomed.has(id))
  expect(kept).toHaveLength(count - doomed.size)
}, 300_000)
