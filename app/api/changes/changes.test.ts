import { expect, test } from 'vitest'
import { createPolicy, keyOf } from '@/app/api/policies/testing/policies-api'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { change, create, deps, remove } from '../entities/[entityName]/changes/testing/followed'
import { GET } from './route'

type Seen = { entity: string; action: string; key: string; cursor: string }

const shelves = (events: boolean) =>
  installTestEntity(deps, {
    entity: { name: 'Shelf', events, pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] },
    schema: { properties: [{ name: 'title', type: 'string' }] },
  })

const follow = (query: string, headers: Record<string, string>) =>
  call(deps, GET, { path: `/api/changes?${query}`, params: {}, headers })

const inSql = (text: string) => deps.db.execute(text)

const briefly = (changes: Seen[]) =>
  changes.map(({ entity, action, key }) => `${entity} ${action} ${key}`)

test('the changes of several entities are in one order, with one cursor', async () => {
  await shelves(true)
  const headers = await keyOf(['EDITOR'])
  const { body } = await follow('entities=Book,Shelf', headers)
  await create({ id: 1, title: 'a' })
  await inSql(`insert into entities.shelf (id) values (7)`)
  await change('1', { title: 'b' })
  await inSql(`delete from entities.shelf`)
  await remove('1')
  const seen: Seen[] = []
  let since = body.meta.cursor
  for (let more = true; more; ) {
    const part = (await follow(`entities=Shelf,%20Book,Book&limit=2&since=${since}`, headers)).body
    seen.push(...part.data)
    ;({ cursor: since, more } = part.meta)
  }
  const expected = ['Book created 1', 'Shelf created 7', 'Book updated 1', 'Shelf deleted 7']
  expect(briefly(seen)).toEqual([...expected, 'Book deleted 1'])
  const rest = await follow(`entities=Shelf&since=${seen[1]?.cursor}`, headers)
  expect(briefly(rest.body.data)).toEqual(['Shelf deleted 7'])
})

test('each entity has to be one whose changes are kept and which the caller may read', async () => {
  await shelves(false)
  await createPolicy({
    ...{ name: 'Books', principals: ['Clerk'], entities: ['Book'], actions: ['read'] },
    where: [{ field: 'branch', operator: 'eq', value: 'Rome' }],
  })
  const [editor, clerk] = [await keyOf(['EDITOR']), await keyOf(['Clerk'])]
  const { body } = await follow('entities=Book', clerk)
  await create({ id: 1, branch: 'Oslo' })
  await create({ id: 2, branch: 'Rome' })
  const rows = await follow(`entities=Book&since=${body.meta.cursor}`, clerk)
  expect(briefly(rows.body.data)).toEqual(['Book created 2'])
  expect((await follow('entities=Book,Shelf', clerk)).status).toBe(403)
  expect((await follow('entities=Book,Nothing', clerk)).status).toBe(403)
  const notKept = await follow('entities=Book,Shelf', editor)
  expect([notKept.status, notKept.body.error]).toEqual([409, expect.stringContaining('Shelf')])
  expect((await follow('entities=Book,Shelv', editor)).status).toBe(404)
  const many = Array.from({ length: 21 }, (_, n) => `E${n}`).join(',')
  for (const query of ['', 'entities=', 'entities=Book,,Shelf', `entities=${many}`])
    expect((await follow(query, editor)).status).toBe(400)
})

test('a stream that is refused says so by its status', async () => {
  await shelves(false)
  const headers = { ...(await keyOf(['EDITOR'])), accept: 'text/event-stream' }
  const statusOf = async (query: string) => (await follow(query, headers)).status
  expect(await statusOf('entities=Shelf')).toBe(409)
  expect(await statusOf('entities=Book&since=none')).toBe(400)
  const ofAnother = Buffer.from('00000000.1.1').toString('base64url')
  expect(await statusOf(`entities=Book&since=${ofAnother}`)).toBe(410)
})
