import { sql } from 'drizzle-orm'
import { test as always, expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import { testsOnCitus } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { change, create, createMany, defineLink, deps, find, tagsOf } from './testing/films'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const as = async (scopes: string[]) => ({
  authorization: `Bearer ${await testKey(deps, ['EDITOR'], scopes)}`,
})
const count = async () =>
  (await rows<{ n: number }>(deps.db, sql`select count(*)::int as n from entities.film_tag`))[0]?.n

test('a new record links those that it names, in its own transaction', async () => {
  const { status } = await create({ id: 4, title: 'New', tags: ['c', 'a', 'a'] })
  expect([status, await tagsOf(4)]).toEqual([201, ['a', 'c']])
  const failed = await create({ id: 5, title: 'New', tags: ['a', 'x', 'y'] })
  expect(failed.status).toBe(400)
  expect(failed.body.validations).toEqual([
    { field: '/tags/1', error: 'There is no Tag "x"' },
    { field: '/tags/2', error: 'There is no Tag "y"' },
  ])
  const query = [{ field: 'id', operator: 'eq', value: 5 }]
  expect((await find({ query })).body.data).toEqual([])
  const many = await createMany([{ id: 6, tags: ['b'] }, { id: 7 }, { id: 8, tags: ['z'] }])
  expect(many.body.validations).toMatchObject([{ field: '/records/2/tags/0' }])
  expect(
    (
      await createMany([
        { id: 6, tags: ['b'] },
        { id: 7, tags: [] },
      ])
    ).status,
  ).toBe(201)
  expect([await tagsOf(6), await tagsOf(7)]).toEqual([['b'], []])
})

test('a change replaces the set, adds or removes; what is so already stays', async () => {
  expect((await change(1, { tags: ['b', 'c'] })).status).toBe(200)
  expect(await tagsOf(1)).toEqual(['b', 'c'])
  await change(1, { title: 'Named', tags: { add: ['a', 'b'], remove: ['c'] } })
  expect(await tagsOf(1)).toEqual(['a', 'b'])
  expect((await change('a', { films: { add: [1, 3] } }, { name: 'Tag' })).status).toBe(200)
  expect(await tagsOf(3)).toEqual(['a'])
  await change(1, { tags: [] })
  expect([await tagsOf(1), await tagsOf(2)]).toEqual([[], ['b']])
  for (const [tags, field] of [
    [{ plus: ['a'] }, '/tags/plus'],
    [{ add: 'a' }, '/tags/add'],
    [null, '/tags'],
  ] as const)
    expect((await change(1, { tags })).body.validations).toMatchObject([{ field }])
})

test('both write by the rights of the link, and leave entries of both', async () => {
  const all = ['Film:update', 'Film:read', 'Tag:read', 'FilmTag:read']
  const adder = await as([...all, 'FilmTag:write'])
  expect((await change(3, { tags: { add: ['a'] } }, { as: adder })).status).toBe(200)
  expect((await change(3, { tags: [] }, { as: adder })).status).toBe(403)
  expect((await change(3, { tags: { add: ['a'] } }, { as: await as(all) })).status).toBe(403)
  const blind = await as(['Film:update', 'Film:read', 'FilmTag:read', 'FilmTag:write'])
  expect((await change(3, { tags: { add: ['b'] } }, { as: blind })).status).toBe(403)
  expect(await tagsOf(3)).toEqual(['a'])
  const query = sql`select action, details->>'created' as created from engine.audit_log where object_type = 'FilmTag'`
  expect(await rows(deps.db, query)).toEqual([{ action: 'records.create', created: '1' }])
})

test('adding the same at once from both sides links it once', async () => {
  const before = (await count()) ?? 0
  const answers = await Promise.all([
    change(3, { tags: { add: ['c'] } }),
    change(3, { tags: { add: ['c'] } }),
    change('c', { films: { add: [3] } }, { name: 'Tag' }),
    change('c', { films: { add: [3] } }, { name: 'Tag' }),
  ])
  for (const { status } of answers) expect([200, 503]).toContain(status)
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  expect([await count(), await tagsOf(3)]).toEqual([before + 1, ['c']])
})

test('a link that needs more than two keys is written by its own records', async () => {
  await defineLink({}, [{ name: 'since', type: 'integer', required: true, default: 1 }])
  await defineLink({ name: 'Cut', engineSchema: 'Cut' }, [
    { name: 'role', type: 'string', required: true },
  ])
  const { status, body } = await change(3, { CutByFilmToTag: ['a'] })
  expect(status).toBe(400)
  expect(body.validations).toMatchObject([
    { field: '/CutByFilmToTag/0', error: expect.stringContaining('create records of Cut') },
  ])
})

always.runIf(testsOnCitus())(
  'lists on the nodes of a cluster are neither read nor written',
  async () => {
    for (const { status, body } of [
      await change(3, { tags: ['a'] }),
      await create({ id: 4, tags: [] }),
    ]) {
      expect([status, body.validations]).toEqual([
        400,
        [{ field: '/tags', error: 'Is on the nodes of a cluster' }],
      ])
      expect(body.error).toContain('Write those of "FilmTag"')
    }
    expect((await find({ expand: ['tags'] })).status).toBe(400)
  },
)
