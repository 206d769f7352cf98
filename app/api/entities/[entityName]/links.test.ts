import { test as always, expect } from 'vitest'
import { GET as columns } from '@/app/api/entities/[entityName]/columns/route'
import { GET as entities } from '@/app/api/entities/route'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { defineLink, deps, find, headers } from './testing/films'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const ids = (list: unknown, key: string) => (list as JsonObject[]).map((one) => one[key])
const found = async (query: object[], name = 'Film', key = 'id') =>
  ids((await find({ query }, { name })).body.data, key)

test('each side of a link lists the other, with fields, conditions, an order and a limit', async () => {
  const tags = { relation: 'tags', fields: ['code'], sort: [{ field: 'rank', direction: 'desc' }] }
  const { body } = await find({ fields: ['id'], expand: [{ ...tags, limit: 1 }] })
  expect(body.data).toEqual([
    { id: 1, tags: [{ code: 'b' }] },
    { id: 2, tags: [{ code: 'b' }] },
    { id: 3, tags: [] },
  ])
  const query = [{ field: 'title', operator: 'eq', value: 'Film 2' }]
  const films = { relation: 'films', fields: ['id'], query }
  const other = await find({ fields: ['code'], expand: [films] }, { name: 'Tag' })
  expect(other.body.data).toEqual([
    { code: 'a', films: [] },
    { code: 'b', films: [{ id: 2 }] },
    { code: 'c', films: [] },
  ])
  const both = await find({ pagination: { size: 3 }, expand: ['tags.films.tags'] })
  const [first] = both.body.data[0].tags as { films: { tags: JsonObject[] }[] }[]
  expect(ids(first?.films[0]?.tags, 'code')).toEqual(['a', 'b'])
})

test('conditions, figures and orders go across the link', async () => {
  expect(await found([{ field: 'tags.some.name', operator: 'eq', value: 'Tag a' }])).toEqual([1])
  expect(await found([{ field: 'tags', operator: 'none' }])).toEqual([3])
  expect(await found([{ field: 'tags.every.code', operator: 'eq', value: 'b' }])).toEqual([2, 3])
  expect(await found([{ field: 'tags.$count', operator: 'gte', value: 2 }])).toEqual([1])
  expect(
    await found([{ field: 'films.$sum.id', operator: 'eq', value: 3 }], 'Tag', 'code'),
  ).toEqual(['b'])
  const sort = [{ field: 'films.$count', direction: 'desc' }]
  const { body } = await find({ fields: ['code', 'films.$count'], sort }, { name: 'Tag' })
  expect(body.data).toEqual([
    { code: 'b', 'films.$count': 2 },
    { code: 'a', 'films.$count': 1 },
    { code: 'c', 'films.$count': 0 },
  ])
  expect(await found([{ field: 'FilmTagByFilm.$count', operator: 'eq', value: 2 }])).toEqual([1])
})

test('the description lists them; without names they have long ones', async () => {
  const describe = async (entityName: string) =>
    (await call(deps, columns, { path: '/', params: { entityName }, headers })).body.meta
  const link = { link: 'FilmTag', field: 'film', to: 'tag' }
  expect((await describe('Film')).links).toEqual([{ relation: 'tags', entity: 'Tag', ...link }])
  expect((await describe('Film')).referencedBy).toMatchObject([{ relation: 'FilmTagByFilm' }])
  expect((await describe('Tag')).links).toMatchObject([{ relation: 'films', entity: 'Film' }])
  const all = await call(deps, entities, { path: '/', headers })
  expect(all.body.data.map(({ name, link }: JsonObject) => [name, link])).toEqual([
    ['Film', false],
    ['FilmTag', true],
    ['Tag', false],
  ])
  await defineLink({ name: 'Label', engineSchema: 'FilmTag' })
  const names = (await describe('Film')).links.map(({ relation }: JsonObject) => relation)
  expect(names).toEqual(['FilmTagByFilmToTag', 'LabelByFilmToTag'])
})

test('a link has two references, each pair once', async () => {
  const third = { name: 'b', type: 'string', meta: { reference: { entity: 'Tag', field: 'code' } } }
  const wrong = defineLink({ name: 'Other' }, [third])
  await expect(wrong).rejects.toMatchObject({
    details: [{ pointer: '/link', message: expect.stringContaining('exactly two references') }],
  })
})
