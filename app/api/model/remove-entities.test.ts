import { expect, test } from 'vitest'
import { GET as DEFINITION } from '@/app/api/entities/[entityName]/definition/route'
import { GET as PLUGIN, DELETE as UNINSTALL } from '@/app/api/plugins/[id]/route'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import { historyOf, logsOf } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { deps, integer, text } from '@/app/api/plugins/testing/versions'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { GET as TRASH } from '@/app/api/trash/route'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'
import { POST as PLAN } from './plan/route'

const PLUGIN_ID = 'local.model'
const authors = recordsOf(deps, 'Author')
const books = recordsOf(deps, 'Book')
const entity = (name: string, more: object = {}) => ({
  ...{ name, distribution: 'local', ...more },
  pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
})
const AUTHOR = entity('Author', { engineSchema: 'Person' })
const PERSON = { name: 'Person', properties: [text('code'), text('name')] }
const book = (...properties: object[]) => ({
  name: 'Book',
  properties: [text('code'), ...properties],
})
const MODEL = { entities: [AUTHOR, entity('Book')], schemas: [PERSON, book(integer('pages'))] }

const send = (route: typeof APPLY, name: string, body: object, as = 'ADMIN') =>
  call(deps, route, { method: 'POST', path: `/api/model/${name}`, body, as })
const plan = (body: object, as?: string) => send(PLAN, 'plan', body, as)
const apply = (body: object, as?: string) => send(APPLY, 'apply', body, as)
const applySealed = (body: object, seal: string) =>
  send(APPLY, `apply?seal=${encodeURIComponent(seal)}`, body)
const trash = async () => (await call(deps, TRASH, { path: '/api/trash', as: 'ADMIN' })).body.data
const restore = (batchId: string) =>
  call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, params: { batchId }, as: 'ADMIN' },
  })
const uninstall = () =>
  call(deps, UNINSTALL, {
    ...{ method: 'DELETE', path: `/api/plugins/${PLUGIN_ID}`, params: { id: PLUGIN_ID } },
    as: 'ADMIN',
  })
const rollBack = (history: number) =>
  call(deps, ROLL_BACK, {
    ...{ method: 'POST', path: `/api/plugins/history/${history}/rollback`, as: 'ADMIN' },
    params: { id: String(history) },
  })

async function install(): Promise<number> {
  const { body } = await apply(MODEL)
  await authors.create({ code: 'a', name: 'Anna' })
  await books.create({ code: 'b', pages: 3 })
  return body.data.history
}

test('an entity goes to the trash with its table and its schema, as planned, and comes back', async () => {
  const first = await install()
  const removal = { removed: ['Author'] }
  const planned = await plan(removal)
  expect(planned).toMatchObject({ status: 200, body: { data: { history: null } } })
  const { seal, files, status } = planned.body.data.plan
  expect([status, files[0].changes]).toEqual([
    'SUCCESS',
    ['Entity Author with 1 record: moved to the trash', 'Schema Person: moved to the trash'],
  ])
  expect((await authors.read('a')).status).toBe(200)

  const { body } = await applySealed(removal, seal)
  expect(body).toMatchObject({ status: 200, data: { pluginId: PLUGIN_ID, failedCount: 0 } })
  const history = await historyOf(deps, body.data.history)
  expect(history).toMatchObject({ kind: 'uninstall', pluginId: PLUGIN_ID, recordCount: 1 })
  expect((await logsOf(deps, body.data.history))[0]?.changes).toEqual(files[0].changes)
  expect((await authors.read('a')).status).toBe(404)
  expect((await books.read('b')).body.data[0]).toMatchObject({ pages: 3 })

  const [batch] = await trash()
  expect(batch).toMatchObject({ kind: 'plugin', plugins: [], entities: ['Author'], count: 1 })
  expect((await rollBack(first)).status).toBe(409)
  expect(await restore(batch.batchId)).toMatchObject({ status: 200 })
  expect((await authors.read('a')).body.data[0]).toMatchObject({ name: 'Anna' })
  const read = await call(deps, DEFINITION, {
    ...{ path: '/api/entities/Author/definition', params: { entityName: 'Author' }, as: 'ADMIN' },
  })
  expect(read.body.data[0]).toMatchObject({ plugin: PLUGIN_ID, schemaPlugin: PLUGIN_ID })
})

test('what is left of the plugin is edited and rolled back as before, and may have a new entity of the name', async () => {
  await install()
  await apply({ removed: ['Author'] })
  const edited = await apply({ schemas: [book(integer('pages'), text('title'))] })
  expect(edited.status).toBe(200)
  expect((await rollBack(edited.body.data.history)).status).toBe(200)
  expect((await books.read('b')).body.data[0]).not.toHaveProperty('title')
  expect((await apply({ entities: [AUTHOR], schemas: [PERSON] })).status).toBe(200)
  expect((await authors.read('a')).status).toBe(404)
  const [batch] = await trash()
  expect((await restore(batch.batchId)).body).toMatchObject({ data: [{ restored: 0 }] })
})

test('with its last entity the plugin goes as well, and both come back', async () => {
  await install()
  expect((await apply({ removed: ['Book', 'Author'] })).status).toBe(200)
  const read = () =>
    call(deps, PLUGIN, {
      ...{ path: `/api/plugins/${PLUGIN_ID}`, params: { id: PLUGIN_ID }, as: 'ADMIN' },
    })
  expect((await read()).status).toBe(404)
  const [batch] = await trash()
  expect(batch).toMatchObject({ plugins: [{ id: PLUGIN_ID }], entities: ['Author', 'Book'] })
  expect((await restore(batch.batchId)).status).toBe(200)
  expect((await read()).body.data[0]).toMatchObject({ entities: ['Author', 'Book'] })
})

test('an entity whose plugin is gone meanwhile waits for it', async () => {
  await install()
  await apply({ removed: ['Author'] })
  expect((await uninstall()).status).toBe(200)
  const [plugin, author] = await trash()
  const refused = (await restore(author.batchId)).body
  expect(JSON.stringify(refused)).toContain('is no longer installed; restore it first')
  expect((await restore(plugin.batchId)).status).toBe(200)
  expect((await restore(author.batchId)).status).toBe(200)
  expect((await authors.read('a')).body.data[0]).toMatchObject({ name: 'Anna' })
})

test('an entity to which another one refers stays', async () => {
  await install()
  const reference = { entity: 'Author', field: 'code' }
  await apply({ schemas: [book(integer('pages'), text('author', { reference }))] })
  const planned = (await plan({ removed: ['Author'] })).body.data.plan
  expect(planned).toMatchObject({
    status: 'FAILED',
    files: [
      { error: 'Missing dependency', details: [{ message: expect.stringContaining('author') }] },
    ],
  })
  expect(await apply({ removed: ['Author'] })).toMatchObject({ status: 409 })
  expect((await authors.read('a')).status).toBe(200)
  expect((await apply({ removed: ['Author', 'Book'] })).status).toBe(200)
})

test('a schema that another entity uses stays', async () => {
  await install()
  await apply({ entities: [entity('Reader', { engineSchema: 'Person' })] })
  expect((await apply({ removed: ['Author'] })).status).toBe(200)
  const readers = recordsOf(deps, 'Reader')
  expect((await readers.create({ code: 'r', name: 'Rea' })).status).toBe(201)
})

test('a plan of a removal holds while the same would go', async () => {
  await install()
  const { seal } = (await plan({ removed: ['Author'] })).body.data.plan
  await authors.create({ code: 'b', name: 'Bea' })
  expect(await applySealed({ removed: ['Author'] }, seal)).toMatchObject({ status: 409 })
  expect((await authors.read('b')).status).toBe(200)
})

const REFUSED = [
  [{ removed: ['Other'] }, 400, 'has no entity "Other"'],
  [{ plugin: 'com.example.shop', removed: ['Author'] }, 400, 'made here'],
  [{ plugin: 'local.away', removed: ['Author'] }, 404, 'not installed'],
] as const
test('what is no entity that was made here is refused, which says why', async () => {
  await install()
  for (const [body, status, error] of REFUSED)
    for (const answer of [await plan(body), await apply(body)])
      expect
        .soft(answer, error)
        .toMatchObject({ status, body: { error: expect.stringContaining(error) } })
})

test('it takes the right to delete the records', async () => {
  await install()
  const body = { removed: ['Author'] }
  const as = (...scopes: string[]) => ({
    ...{ method: 'POST', path: '/api/model/plan', body, as: 'ADMIN', scopes },
  })
  const apply = (...scopes: string[]) =>
    call(deps, APPLY, { ...as(...scopes), path: '/api/model/apply' })
  expect((await call(deps, PLAN, as('plugins:install'))).status).toBe(403)
  expect((await apply('plugins:install', 'Book:delete')).status).toBe(403)
  expect((await apply('plugins:install', 'Author:delete')).status).toBe(200)
})

test('what was read before a removal, or before another change, is refused', async () => {
  const lastHistoryId = await install()
  const changed = await apply({ lastHistoryId, schemas: [book(integer('pages'), text('isbn'))] })
  const late = { lastHistoryId, removed: ['Author'] }
  for (const answer of [await plan(late), await apply(late)])
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('read') } })
  const seen = { lastHistoryId: changed.body.data.history }
  expect((await apply({ ...seen, removed: ['Author'] })).status).toBe(200)
  const again = await apply({ ...seen, entities: [AUTHOR], schemas: [PERSON] })
  expect(again).toMatchObject({ status: 409 })
  const [{ batchId }] = await trash()
  expect((await restore(batchId)).status).toBe(200)
  expect((await authors.read('a')).body.data[0]).toMatchObject({ name: 'Anna' })
})
