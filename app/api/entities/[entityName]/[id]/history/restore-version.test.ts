import { expect, test } from 'vitest'
import {
  change,
  create,
  define,
  historyOf,
  read,
  remove,
  restore,
  signedInAs,
  withHeaders,
} from './testing/books'

const versionsOf = async (id: string): Promise<number[]> =>
  (await historyOf(id)).body.data.map(({ version }: { version: number }) => version)

test('gives a record the values that it had, by a change that is in the history itself', async () => {
  await create({ id: 1, title: 'A', price: '0.10', note: 'n' })
  await change('1', { title: 'B', price: null, tags: [1], note: 'm', other: 1 })
  const [, first] = await versionsOf('1')
  const { status, body, headers } = await restore('1', first as number)
  expect(status).toBe(200)
  expect(body.data[0]).toMatchObject({ id: 1, title: 'A', price: 0.1, tags: null, note: 'n' })
  expect(body.data[0]).not.toHaveProperty('other')
  expect(body.meta).toMatchObject({ created: false, leftOut: [] })
  expect(headers.get('etag')).toBe((await read('1')).headers.get('etag'))
  expect(await versionsOf('1')).toHaveLength(3)
})

test('brings a deleted record back, as before its deletion or as in an earlier version', async () => {
  await create({ id: 1, title: 'A' })
  await change('1', { title: 'B' })
  await remove('1')
  const [deletion, , first] = await versionsOf('1')
  expect((await restore('1', deletion as number)).body).toMatchObject({
    data: [{ id: 1, title: 'B' }],
    meta: { created: true },
  })
  await remove('1')
  expect((await restore('1', first as number)).body.data[0].title).toBe('A')
})

test('brings back the state before the oldest version', async () => {
  await define({ history: false })
  await create({ id: 1, title: 'A' })
  await define()
  await change('1', { title: 'B' })
  expect((await restore('1', 0)).body.data[0].title).toBe('A')
  await create({ id: 2, title: 'A' })
  expect((await restore('2', 0)).status).toBe(404)
})

test('changes only the record that was looked at', async () => {
  await create({ id: 1, title: 'A' })
  await change('1', { title: 'B' })
  const [, first] = await versionsOf('1')
  const as = withHeaders({ 'if-match': '"of before"' })
  expect((await restore('1', first as number, { as })).status).toBe(412)
  await remove('1')
  expect((await restore('1', first as number, { as })).status).toBe(412)
  expect((await read('1')).status).toBe(404)
})

test('needs the rights to read and to change, or to create', async () => {
  await create({ id: 1, title: 'A' })
  await change('1', { title: 'B' })
  const [, first] = await versionsOf('1')
  const as = (scopes: string[]) => signedInAs(['EDITOR'], scopes)
  const tried = async (...scopes: string[]) =>
    (await restore('1', first as number, { as: await as(scopes) })).status
  expect(await tried('Book:read', 'Book:write')).toBe(403)
  expect(await tried('Book:update')).toBe(403)
  expect(await tried('Book:read', 'Book:update')).toBe(200)
  await remove('1')
  expect(await tried('Book:read', 'Book:update')).toBe(403)
  expect(await tried('Book:read', 'Book:write')).toBe(200)
})

test('says which fields are gone, and leaves those that came since', async () => {
  await define({}, [{ name: 'old', type: 'string' }])
  await create({ id: 1, title: 'A', old: 'x' })
  await change('1', { title: 'B' })
  await define({}, [{ name: 'fresh', type: 'string' }])
  await change('1', { fresh: 'y' })
  const first = (await versionsOf('1')).at(-1) as number
  const { body } = await restore('1', first)
  expect(body.data[0]).toMatchObject({ title: 'A', fresh: 'y' })
  expect(body.meta.leftOut).toEqual(['old'])
})

test('checks values like any change', async () => {
  await create({ id: 1, title: 'A', price: 5 })
  await change('1', { price: 50 })
  const [, first] = await versionsOf('1')
  await define({}, [{ name: 'must', type: 'string', default: 'd' }])
  const { status } = await restore('1', first as number)
  expect(status).toBe(200)
  expect((await restore('1', 999_999)).status).toBe(404)
  expect((await restore('7', first as number)).status).toBe(404)
})

test('says beforehand what would change, and changes nothing', async () => {
  await define({}, [{ name: 'old', type: 'string' }])
  await create({ id: 1, title: 'A', price: 5, old: 'x' })
  await change('1', { title: 'B', price: null, note: 'n' })
  await define({}, [{ name: 'fresh', type: 'string' }])
  await change('1', { fresh: 'y' })
  const first = (await versionsOf('1')).at(-1) as number
  const { body } = await restore('1', first, { query: 'dryRun=true' })
  expect([body.data, body.meta]).toEqual([
    [],
    {
      ...{ created: false, leftOut: ['old'] },
      changes: [
        { field: 'title', before: 'B', after: 'A' },
        { field: 'note', before: 'n' },
        { field: 'price', after: 5 },
      ],
    },
  ])
  expect((await read('1')).body.data[0].title).toBe('B')
  expect((await restore('1', first)).body.meta.changes).toEqual(body.meta.changes)
  await remove('1')
  const removed = await restore('1', first, { query: 'dryRun=true' })
  expect(removed.body.meta).toMatchObject({
    created: true,
    changes: [{ field: 'id' }, { field: 'title' }, { field: 'price' }],
  })
})
