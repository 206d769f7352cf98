import { sql } from 'drizzle-orm'
import { test as always, beforeEach, expect } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { POST } from '@/app/api/policies/route'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'

const deps = freshDeps()
/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const PKS = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
const SHELF = [
  { name: 'title', type: 'string', meta: { indexed: true } },
  { name: 'room', type: 'integer' },
]
const BOOK = [
  { name: 'name', type: 'string' },
  { name: 'shelf', type: 'decimal', reference: { entity: 'Shelf', field: 'id' } },
]

const define = (name: string, properties: object[], more = {}) =>
  installTestEntity(deps, { entity: { name, pks: PKS, ...more }, schema: { properties } })

const headersOf = async (roles: string[], scopes?: string[]) => ({
  authorization: `Bearer ${await testKey(deps, roles, scopes)}`,
})

const read = (query: string, headers: Record<string, string>, entityName = 'Shelf') =>
  call(deps, GET, { path: `/x?${query}`, params: { entityName }, headers })

beforeEach(async () => {
  await define('Shelf', SHELF, { indexes: [{ fields: ['room', 'title'] }] })
  await define('Book', BOOK)
  await deps.db.execute(sql`
    insert into entities.shelf (id, title, room) values (1, 'Maps', 1), (2, null, 1), (3, 'Atlases', 2)`)
  await deps.db.execute(sql`
    insert into entities.book (id, name, shelf) values (1, 'Africa', 1), (2, 'Asia', 1), (3, 'Europe', 3)`)
})

const QUERY = 'fields=id,title&sort=title:desc&expand=BookByShelf(fields:name)'

test('a search of the same names is read by the conditions and the page of each request', async () => {
  const headers = await headersOf(['ADMIN'])
  const idsOf = async (more: string) => {
    const { status, body } = await read(`${QUERY}${more}`, headers)
    expect([status, body.error]).toEqual([200, undefined])
    return body.data.map(({ id }: { id: number }) => id)
  }
  for (let round = 0; round < 3; round++) {
    expect(await idsOf('')).toEqual([1, 3, 2])
    expect(await idsOf('&filter=title:notnull')).toEqual([1, 3])
    expect(await idsOf('&filter=room:eq:1')).toEqual([1, 2])
    expect(await idsOf('&filter=title:isnull')).toEqual([2])
    expect(await idsOf('&size=1&page=1')).toEqual([3])
  }
  const first = await read(`${QUERY}&size=1&filter=room:eq:1`, headers)
  const cursor = `&size=1&cursor=${first.body.pagination.next}`
  expect((await read(`${QUERY}${cursor}&filter=room:eq:1`, headers)).body.data).toEqual([
    { id: 2, title: null, BookByShelf: [] },
  ])
  expect((await read(`${QUERY}${cursor}&filter=room:eq:2`, headers)).status).toBe(400)
})

test('callers share nothing that one of them may not read', async () => {
  const all = await headersOf(['VIEWER'])
  const scoped = await headersOf(['VIEWER'], ['Shelf:read'])
  for (let round = 0; round < 2; round++) {
    expect((await read(QUERY, all)).status).toBe(200)
    expect((await read(QUERY, scoped)).status).toBe(400)
    expect((await read('expand=shelf', all, 'Book')).status).toBe(200)
  }
  const books = await headersOf(['VIEWER'], ['Book:read'])
  expect((await read('', books, 'Book')).status).toBe(200)
  expect((await read('expand=shelf', books, 'Book')).status).toBe(403)
})

test('a policy that is made takes fields from a search that was read before', async () => {
  const headers = await headersOf(['VIEWER'])
  expect((await read(QUERY, headers)).status).toBe(200)
  const name = 'No titles'
  const body = { name, principals: ['VIEWER'], actions: ['read'], allow: false }
  const made = await call(deps, POST, {
    ...{ method: 'POST', path: '/api/policies', as: 'ADMIN' },
    body: { ...body, entities: ['Shelf'], fields: ['title'] },
  })
  expect([made.status, made.body.error]).toEqual([201, undefined])
  expect((await read(QUERY, headers)).status).toBe(400)
})

test('a definition that changes is asked from the next search on', async () => {
  const headers = await headersOf(['ADMIN'])
  expect((await read(QUERY, headers)).status).toBe(200)
  await define('Book', [...BOOK, { name: 'pages', type: 'integer' }])
  const { body } = await read('expand=BookByShelf', headers)
  expect(body.data[0].BookByShelf[0]).toHaveProperty('pages', null)
  await define('Book', BOOK.slice(0, 1))
  expect((await read(QUERY, headers)).status).toBe(400)
})
