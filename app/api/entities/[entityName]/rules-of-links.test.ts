import { sql } from 'drizzle-orm'
import { test as always, beforeEach, expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { testsOnCitus } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import { change, changeMany, defineLink, deps, find } from './testing/films'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

let as: Record<string, string>

async function allow(entity: string, actions: string[], more: object = {}): Promise<void> {
  const name = `${entity} ${JSON.stringify(more)} ${actions}`
  const json = { name, principals: ['Clerk'], entities: [entity], actions, ...more }
  const parsed = parsePolicy(json as Json)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  await definePolicy(deps.db, parsed.definition, 'test')
}

beforeEach(async () => {
  await allow('Film', ['read', 'update'])
  await allow('Tag', ['read'], { where: [{ field: 'code', operator: 'ne', value: 'b' }] })
  as = { authorization: `Bearer ${await testKey(deps, ['Clerk'])}` }
})

const NO_A = { where: [{ field: 'tag', operator: 'ne', value: 'a' }] }
const stored = async () => {
  const query = sql`select tag from entities.film_tag where film = 1 order by tag`
  return (await rows<{ tag: string }>(deps.db, query)).map(({ tag }) => tag)
}

test('hidden links and hidden records of the other side link nothing', async () => {
  await allow('FilmTag', ['read'], NO_A)
  const query = [{ field: 'id', operator: 'eq', value: 1 }]
  const { body } = await find({ query, fields: ['tags.$count'], expand: ['tags'] }, { as })
  expect(body.data).toEqual([{ 'tags.$count': 0, tags: [] }])
  const some = [{ field: 'tags.some.code', operator: 'in', value: ['a', 'b'] }]
  expect((await find({ query: some }, { as })).body.data).toEqual([])
})

test('a set replaces what its writer sees, and finds what it may read', async () => {
  await allow('FilmTag', ['read', 'write', 'delete'], NO_A)
  expect((await change(1, { tags: ['c'] }, { as })).status).toBe(200)
  expect(await stored()).toEqual(['a', 'b', 'c'])
  expect((await change(1, { tags: [] }, { as })).status).toBe(200)
  expect(await stored()).toEqual(['a', 'b'])
  const hidden = await change(1, { tags: { add: ['b'] } }, { as })
  const absent = await change(1, { tags: { add: ['x'] } }, { as })
  const told = ({ status, body }: typeof hidden) => [status, body.error.replaceAll('"x"', '"b"')]
  expect(told(hidden)).toEqual(told(absent))
  expect(await stored()).toEqual(['a', 'b'])
})

test('policies of the link say which may be added and removed', async () => {
  await allow('FilmTag', ['read'])
  await allow('FilmTag', ['write', 'delete'], NO_A)
  for (const tags of [{ remove: ['a'] }, []])
    expect((await change(1, { tags }, { as })).status).toBe(403)
  expect((await change(3, { tags: { add: ['a'] } }, { as })).status).toBe(403)
  expect((await change(3, { tags: { add: ['c'] } }, { as })).status).toBe(200)
  expect(await stored()).toEqual(['a', 'b'])
})

test('a hidden reference of the link gives no list', async () => {
  await allow('FilmTag', ['read', 'write'], { fields: { except: ['tag'] } })
  expect((await find({ expand: ['tags'] }, { as })).status).toBe(400)
  expect((await change(3, { tags: { add: ['c'] } }, { as })).status).toBe(403)
})

test('a pair that a hidden link has is the conflict of its creation, and names nothing hidden', async () => {
  await allow('FilmTag', ['read', 'write'], NO_A)
  await allow('FilmTag', ['write'])
  const { status, body } = await change(1, { tags: { add: ['c', 'a'] } }, { as })
  expect([status, body.validations]).toMatchObject([409, [{ field: '/tags/add/1' }]])
  expect(await stored()).toEqual(['a', 'b'])
})

test('policies give links their values, and hold of records whose lists alone are written', async () => {
  await defineLink({}, [{ name: 'by', type: 'string' }])
  await allow('FilmTag', ['read'])
  await allow('FilmTag', ['write'], { set: { by: 'Clerk' } })
  expect((await change(3, { tags: ['c'] }, { as })).status).toBe(200)
  const query = sql`select by from entities.film_tag where film = 3`
  expect(await rows(deps.db, query)).toEqual([{ by: 'Clerk' }])
  const other = await testKey(deps, ['Other'])
  const principals = ['Other']
  await allow('Film', ['read'], { principals })
  const where = [{ field: 'id', operator: 'ne', value: 1 }]
  await allow('Film', ['update'], { principals, where })
  await allow('FilmTag', ['read', 'write', 'delete'], { principals })
  await allow('Tag', ['read'], { principals })
  const bearer = { authorization: `Bearer ${other}` }
  for (const body of [{ tags: ['c'] }, { tags: { add: ['c'] } }, { tags: [] }])
    expect((await change(1, body, { as: bearer })).status).toBe(403)
  const answer = await changeMany(
    [
      { id: 2, tags: ['c'] },
      { id: 1, tags: ['c'] },
    ],
    bearer,
  )
  expect([answer.status, await stored()]).toEqual([403, ['a', 'b']])
  expect((await change(2, { tags: ['c'] }, { as: bearer })).status).toBe(200)
})
