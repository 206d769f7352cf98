import { test as always, expect } from 'vitest'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { registryChanged } from '@/lib/registry/registry'
import { defineSchema } from '@/lib/tables/define-schema'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'
import { GET as HISTORY } from './[id]/history/route'
import { DELETE } from './[id]/route'
import { GET as CHANGES } from './changes/route'
import { change, defineLink, deps, find, headers, tagsOf } from './testing/films'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

test('the history and the changes of a link tell what lists did', async () => {
  const name = 'Cut'
  await defineLink({ name, engineSchema: name, history: true, events: true })
  const changes = (query = '') =>
    call(deps, CHANGES, { path: `/?${query}`, params: { entityName: name }, headers })
  const since = (await changes()).body.meta.cursor
  await change(3, { CutByFilmToTag: ['a', 'b'] })
  await change(3, { CutByFilmToTag: ['b'] })
  const params = { entityName: name, id: '1' }
  const { body } = await call(deps, HISTORY, { path: '/', params, headers })
  expect(body.data.map(({ kind, action }: JsonObject) => [kind, action])).toEqual([
    ['delete', 'records.delete'],
    ['insert', 'records.create'],
  ])
  const told: JsonObject[] = []
  for (let cursor = since; told.length < 3; ) {
    const { body } = await changes(`since=${cursor}`)
    told.push(...body.data)
    cursor = body.meta.cursor
  }
  expect(told.map(({ action, key }) => [action, key])).toEqual([
    ['created', '1'],
    ['created', '2'],
    ['deleted', '1'],
  ])
})

test('a record returns from the trash with its links', async () => {
  const { body } = await call(deps, DELETE, {
    ...{ method: 'DELETE', path: '/?undo=7d', headers },
    params: { entityName: 'Film', id: '1' },
  })
  expect(body.meta.effects).toEqual([{ entity: 'FilmTag', action: 'deleted', count: 2 }])
  const { batchId } = body.meta
  const restored = await call(deps, RESTORE, {
    ...{ method: 'POST', path: '/', params: { batchId }, headers },
  })
  expect(restored.status).toBe(200)
  expect(await tagsOf(1)).toEqual(['a', 'b'])
})

async function upgrade(more: object[]): Promise<string[]> {
  const to = (entity: string, field: string) => ({ reference: { entity, field } })
  const json = {
    name: 'FilmTag',
    properties: [
      { name: 'film', type: 'integer', meta: to('Film', 'id') },
      { name: 'tag', type: 'string', meta: to('Tag', 'code') },
      ...more,
    ],
  }
  const parsed = parseSchemaDefinition(json as Json)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  const { notes } = await deps.db.transaction((tx) => defineSchema(tx, parsed.definition, 'test'))
  await registryChanged(deps)
  return notes
}

test('a schema with a third reference ends the lists, and keeps their records', async () => {
  const third = {
    name: 'by',
    type: 'string',
    meta: { reference: { entity: 'Tag', field: 'code' } },
  }
  expect(await upgrade([third])).toContainEqual(expect.stringContaining('FilmTag no longer links'))
  const lists = ['tags', 'FilmTagByFilmToTag']
  for (const relation of lists) expect((await find({ expand: [relation] })).status).toBe(400)
  const query = [{ field: 'id', operator: 'eq', value: 1 }]
  const { body } = await find({ query, fields: ['FilmTagByFilm.$count'] })
  expect(body.data).toEqual([{ 'FilmTagByFilm.$count': 2 }])
  await upgrade([{ name: 'by', type: 'string' }])
  const again = await find({ query, fields: ['FilmTagByFilmToTag.$count'] })
  expect(again.body.data).toEqual([{ 'FilmTagByFilmToTag.$count': 2 }])
})
