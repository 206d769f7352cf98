import { expect, test } from 'vitest'
import { ask, by, COUNT, get } from './testing/walks'

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
  const uncounted = await get(`page=1&size=${COUNT / 2}&count=none`)
  expect(uncounted.body.data).toHaveLength(COUNT / 2)
  expect(uncounted.body.pagination).toMatchObject({ last: true, total: null })
  expect(uncounted.body.pagination.next).toBeUndefined()
})

test('matches are counted after a cursor when that is asked for', async () => {
  const { next } = (await get('size=100&count=none')).body.pagination
  const response = await get(`size=100&count=exact&cursor=${next}`)
  expect(response.body.pagination).toMatchObject({
    current: null,
    total: COUNT,
    pages: COUNT / 100,
  })
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
  ['another filter', 'sort=age&filter=age:gt:5'],
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
