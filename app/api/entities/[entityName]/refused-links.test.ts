import { sql } from 'drizzle-orm'
import { test as always, expect } from 'vitest'
import { registryChanged } from '@/lib/registry/registry'
import { testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { PUT } from './[id]/route'
import { PATCH } from './batch/route'
import { change, create, createMany, deps, find, headers, tagsOf } from './testing/films'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

async function onDuplicate(rule: string): Promise<void> {
  const named = sql`${JSON.stringify(rule)}::jsonb`
  await deps.db.execute(
    sql`update engine.entities set definition = jsonb_set(definition, '{insertDuplicate}', ${named}) where name = 'Film'`,
  )
  await registryChanged(deps)
}

test('a record that would be ignored links nothing, one that overwrites another replaces its set', async () => {
  await onDuplicate('Ignore')
  expect((await create({ id: 1, tags: ['c'] })).status).toBe(409)
  expect((await createMany([{ id: 4 }, { id: 1, tags: { add: ['c'] } }])).status).toBe(409)
  expect(await tagsOf(1)).toEqual(['a', 'b'])
  await onDuplicate('Upsert')
  const { status } = await createMany([
    { id: 1, tags: ['c'] },
    { id: 4, tags: { add: ['a'] } },
  ])
  expect([status, await tagsOf(1), await tagsOf(4)]).toEqual([201, ['c'], ['a']])
})

test('what contradicts itself is refused, what repeats itself is not', async () => {
  const both = await change(1, { tags: { add: ['b', 'c'], remove: ['a', 'c'] } })
  expect(both.body.validations).toEqual([
    { field: '/tags/remove/1', error: 'Is added by the same request' },
  ])
  await onDuplicate('Upsert')
  const sets = await createMany([
    { id: 1, tags: ['a'] },
    { id: 2 },
    { id: 1, tags: { add: ['c'] } },
  ])
  expect(sets.body.validations).toMatchObject([{ field: '/records/2/tags' }])
  expect(await tagsOf(1)).toEqual(['a', 'b'])
  const adding = { id: 1, tags: { add: ['c', 'c'], remove: ['b', 'b'] } }
  expect((await createMany([adding, adding])).status).toBe(200)
  expect(await tagsOf(1)).toEqual(['a', 'c'])
})

test('a replacement without the list keeps it; neither null nor another type of key will do', async () => {
  const put = (body: object) =>
    call(deps, PUT, {
      ...{ method: 'PUT', path: '/', headers, body },
      params: { entityName: 'Film', id: '1' },
    })
  expect((await put({ id: 1, title: 'Put' })).status).toBe(200)
  expect(await tagsOf(1)).toEqual(['a', 'b'])
  expect((await put({ id: 1, title: 'Put', tags: null })).status).toBe(400)
  expect((await put({ id: 1, title: 'Put', tags: ['c'] })).status).toBe(200)
  expect(await tagsOf(1)).toEqual(['c'])
  const films = ['1', 1.5, null, {}, '', 2]
  const { body } = await change('c', { films }, { name: 'Tag' })
  expect(body.validations.map(({ field }: { field: string }) => field)).toEqual(
    [1, 2, 3, 4].map((at) => `/films/${at}`),
  )
  expect((await change('c', { films: ['3', 3] }, { name: 'Tag' })).status).toBe(200)
  expect(await tagsOf(3)).toEqual(['c'])
})

test('a request names at most 10,000 keys, in all its lists', async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`)
  const lists: JsonObject[] = [
    { id: 1, tags: { add: keys(5000) } },
    { id: 2, tags: { remove: keys(5001) } },
  ]
  const answers = [await change(1, { tags: keys(10_001) }), await createMany(lists)]
  for (const { status, body } of answers)
    expect([status, body.validations]).toMatchObject([
      400,
      [{ error: 'At most 10000 keys a request' }],
    ])
  expect(await tagsOf(1)).toEqual(['a', 'b'])
})

test('an edit of all matching records sets no list', async () => {
  const { status, body } = await call(deps, PATCH, {
    ...{ method: 'PATCH', path: '/', params: { entityName: 'Film' }, headers },
    body: { entity: 'Film', set: { title: 'Set', tags: ['c'] } },
  })
  expect([status, body.validations]).toMatchObject([400, [{ field: 'set.tags' }]])
  expect(await tagsOf(1)).toEqual(['a', 'b'])
})

test('a link stays while records refer to it, and the refusal says which', async () => {
  const reference = { reference: { entity: 'FilmTag', field: 'id' } }
  const schema = { properties: [{ name: 'about', type: 'integer', meta: reference }] }
  await installTestEntity(deps, { entity: { name: 'Vote' }, schema }, [{ about: 1 }])
  for (const tags of [['c'], { remove: ['a'] }]) {
    const { status, body } = await change(1, { title: 'Changed', tags })
    expect([status, body.error]).toEqual([
      409,
      '1 record of "Vote" (by "about") refer to records of "FilmTag" that would go; delete those first. Nothing was deleted',
    ])
    expect(body.meta.blockedBy).toEqual([{ entity: 'Vote', field: 'about', count: 1 }])
  }
  expect(await tagsOf(1)).toEqual(['a', 'b'])
  const query = [{ field: 'title', operator: 'eq', value: 'Changed' }]
  expect((await find({ query })).body.data).toEqual([])
  expect((await change(1, { tags: ['a'] })).status).toBe(200)
})
