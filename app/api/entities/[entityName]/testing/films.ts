import { beforeEach } from 'vitest'
import * as one from '@/app/api/entities/[entityName]/[id]/route'
import * as batch from '@/app/api/entities/[entityName]/batch/route'
import * as entity from '@/app/api/entities/[entityName]/route'
import { POST as search } from '@/app/api/entities/[entityName]/search/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'

// Films and tags, linked by records of FilmTag.

export const deps = freshDeps()
export let headers: Record<string, string>

const key = (name: string, type: 'string' | 'number') => [{ key: name, strategy: 'Fixed', type }]
const to = (entity: string, field: string, inverse?: string) => ({
  reference: { entity, field, onDelete: 'cascade', ...(inverse ? { inverse } : {}) },
})

const links = [
  { film: 1, tag: 'a' },
  { film: 1, tag: 'b' },
  { film: 2, tag: 'b' },
  { film: null, tag: 'c' },
]

/** Defines the link with `changes` of the entity and further properties. */
export const defineLink = (changes: object = {}, further: object[] = [], records: object[] = []) =>
  installTestEntity(
    deps,
    {
      entity: { name: 'FilmTag', link: true, ...changes },
      schema: {
        properties: [
          { name: 'film', type: 'integer', meta: to('Film', 'id', 'tags') },
          { name: 'tag', type: 'string', meta: to('Tag', 'code', 'films') },
          ...further,
        ],
      },
    },
    records,
  )

beforeEach(async () => {
  const films = [1, 2, 3].map((id) => ({ id, title: `Film ${id}` }))
  const tags = ['a', 'b', 'c'].map((code, at) => ({ code, name: `Tag ${code}`, rank: at + 1 }))
  const title = { properties: [{ name: 'title', type: 'string' }] }
  const named = {
    properties: [
      { name: 'name', type: 'string' },
      { name: 'rank', type: 'integer' },
    ],
  }
  await installTestEntity(
    deps,
    { entity: { name: 'Film', pks: key('id', 'number') }, schema: title },
    films,
  )
  await installTestEntity(
    deps,
    { entity: { name: 'Tag', pks: key('code', 'string') }, schema: named },
    tags,
  )
  await defineLink({}, [], links)
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
})

type Asked = { name?: string; as?: Record<string, string> }

export const create = (body: unknown, { name = 'Film', as = headers }: Asked = {}) =>
  call(deps, entity.POST, {
    ...{ method: 'POST', path: '/', params: { entityName: name }, headers: as, body },
  })

export const change = (id: unknown, body: unknown, { name = 'Film', as = headers }: Asked = {}) =>
  call(deps, one.PATCH, {
    ...{ method: 'PATCH', path: '/', headers: as, body },
    params: { entityName: name, id: String(id) },
  })

export const createMany = (records: JsonObject[]) =>
  call(deps, batch.POST, {
    ...{ method: 'POST', path: '/', params: { entityName: 'Film' }, headers, body: { records } },
  })

export const changeMany = (records: JsonObject[], as = headers) =>
  call(deps, batch.PUT, {
    ...{ method: 'PUT', path: '/', params: { entityName: 'Film' }, headers: as },
    body: { records },
  })

export const find = (body: object, { name = 'Film', as = headers }: Asked = {}) =>
  call(deps, search, {
    ...{ method: 'POST', path: '/', params: { entityName: name }, headers: as, body },
  })

/** The codes of the tags of a film. */
export async function tagsOf(id: unknown): Promise<string[]> {
  const query = [{ field: 'id', operator: 'eq', value: id }]
  const { body } = await find({ query, fields: ['id'], expand: ['tags'] })
  return (body.data[0].tags as { code: string }[]).map(({ code }) => code)
}
