import { expect, test } from 'vitest'
import { GET as DEFINITION } from '@/app/api/entities/[entityName]/definition/route'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import { historyOf, install, logsOf } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { deps, integer, text, version } from '@/app/api/plugins/testing/versions'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'
import { POST as PLAN } from './plan/route'

const authors = recordsOf(deps, 'Author')
const AUTHOR = {
  name: 'Author',
  engineSchema: 'Person',
  distribution: 'local',
  pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
}
const person = (...properties: object[]) => ({
  name: 'Person',
  properties: [text('code'), ...properties],
})
const MODEL = { entities: [AUTHOR], schemas: [person(text('name'))] }

const plan = (body: object, as = 'ADMIN') =>
  call(deps, PLAN, { method: 'POST', path: '/api/model/plan', body, as })
const apply = (body: object, seal?: string) => {
  const query = seal ? `?seal=${encodeURIComponent(seal)}` : ''
  return call(deps, APPLY, { method: 'POST', path: `/api/model/apply${query}`, body, as: 'ADMIN' })
}

test('a model that is planned, applied, changed and rolled back keeps its values', async () => {
  const planned = await plan(MODEL)
  expect(planned.body).toMatchObject({
    ...{ status: 200, data: { pluginId: 'local.model', history: null } },
  })
  expect((await authors.read('a')).status).toBe(404)
  const first = await apply(MODEL, planned.body.data.plan.seal)
  expect(first).toMatchObject({ status: 200, body: { data: { pluginName: 'Local model' } } })
  await authors.create({ code: 'a', name: 'Anna' })

  const renamed = { schemas: [person({ ...text('fullName'), renamedFrom: 'name' }, text('born'))] }
  const second = await apply(renamed)
  expect(second.status).toBe(200)
  expect(await historyOf(deps, second.body.data.history)).toMatchObject({
    ...{ version: '1.1.0', mode: 'atomic', status: 'SUCCESS', source: 'local.model-1.1.0.zip' },
  })
  expect((await authors.read('a')).body.data[0]).toMatchObject({ fullName: 'Anna', born: null })

  const id = String(second.body.data.history)
  const path = `/api/plugins/history/${id}/rollback`
  await call(deps, ROLL_BACK, { method: 'POST', path, params: { id }, as: 'ADMIN' })
  expect((await authors.read('a')).body.data[0]).toMatchObject({ name: 'Anna' })
})

test('a definition of an installed plugin is replaced in its next version, which says that it was edited here', async () => {
  await install(deps, version({ properties: [integer('n')], records: [{ id: 1, n: 2 }] }))
  const schema = { name: 'Thing', properties: [integer('id'), integer('n'), text('note')] }
  const applied = await apply({ plugin: 'com.example.shop', schemas: [schema] })
  expect(applied.status).toBe(200)
  expect((await historyOf(deps, applied.body.data.history)).version).toMatch(/\+local\.1$/)
  const things = recordsOf(deps, 'Thing')
  expect((await things.read('1')).body.data[0]).toMatchObject({ n: 2, note: null })
})

const INDEXED = { ...AUTHOR, indexes: [{ fields: ['name', 'born'], unique: true }] }
test.each([
  ['with an index on it', [{ entities: [AUTHOR], schemas: [person(text('born'))] }]],
  [
    'before its index',
    [{ schemas: [person(text('born'))] }, { schemas: [person(text('born', { required: true }))] }],
  ],
])('a field that went %s is back after a rollback, and the index', async (_, versions) => {
  const fields = person(text('name'), text('born', { default: 'x' }))
  await apply({ entities: [INDEXED], schemas: [fields] })
  await authors.create({ code: 'a', name: 'Anna' })
  const applied: number[] = []
  for (const body of versions) applied.unshift((await apply(body)).body.data.history)
  for (const id of applied.map(String)) {
    const path = `/api/plugins/history/${id}/rollback`
    const undone = await call(deps, ROLL_BACK, {
      method: 'POST',
      path,
      params: { id },
      as: 'ADMIN',
    })
    expect(undone).toMatchObject({ status: 200 })
  }
  expect((await authors.read('a')).body.data[0]).toMatchObject({ name: 'Anna' })
  expect((await authors.create({ code: 'b', name: 'Anna' })).status).toBe(409)
})

test('a plan that no longer holds is refused, and a definition that fails changes nothing', async () => {
  const { seal } = (await plan(MODEL)).body.data.plan
  await apply(MODEL)
  expect(await apply(MODEL, seal)).toMatchObject({ status: 409 })
  await authors.create({ code: 'a', name: 'Anna' })
  const wrong = { schemas: [person(text('name', { maxLength: 2 }), text('born'))] }
  expect((await plan(wrong)).body.data.plan.status).toBe('FAILED')
  const { status, body } = await apply(wrong)
  expect(status).toBe(422)
  const failed = (await logsOf(deps, body.data.history)).filter(
    ({ error }) => error !== null && error !== 'Rolled back',
  )
  expect(failed.map(({ path }) => path)).toEqual(['EngineSchemas/Person.json'])
  expect((await authors.read('a')).body.data[0]).not.toHaveProperty('born')
})

test.each([
  [{}, 400, 'at least one definition'],
  [{ entities: [{ pks: [] }] }, 400, 'name'],
  [{ ...MODEL, entities: [AUTHOR, AUTHOR] }, 400, 'name'],
  [{ entities: [null] }, 400, 'must be a definition'],
  [{ schemas: ['Person', 5, []] }, 400, 'must be a definition'],
  [{ ...MODEL, removed: ['Author'] }, 400, 'by themselves'],
  [{ ...MODEL, plugin: 'com.example.away' }, 404, 'begins with "local."'],
])('%j is refused with %i, which says why', async (body, status, error) => {
  for (const answer of [await plan(body), await apply(body)])
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(error) } })
})

test('the definition of an entity without a schema names the last install of its plugin', async () => {
  const first = (await apply(MODEL)).body.data.history
  const free = { name: 'Free', pks: AUTHOR.pks }
  const second = await apply({ plugin: 'local.free', entities: [free] })
  const read = await call(deps, DEFINITION, {
    ...{ path: '/api/entities/Free/definition', params: { entityName: 'Free' }, as: 'ADMIN' },
  })
  const { history } = second.body.data
  expect(history).toBeGreaterThan(first)
  expect(read.body.data).toMatchObject([
    { plugin: 'local.free', schema: null, schemaPlugin: null, lastHistoryId: history },
  ])
  const schemas = [{ name: 'Free', properties: [text('note')] }]
  const body = { plugin: 'local.free', lastHistoryId: history, schemas }
  expect((await apply(body)).status).toBe(200)
})

test('definitions that were read before another install are refused', async () => {
  const first = (await apply(MODEL)).body.data.history
  const read = await call(deps, DEFINITION, {
    ...{ path: '/api/entities/Author/definition', params: { entityName: 'Author' }, as: 'ADMIN' },
  })
  const [{ schema, schemaPlugin, lastHistoryId }] = read.body.data
  expect([schemaPlugin, lastHistoryId]).toEqual(['local.model', first])
  const edited = { lastHistoryId, schemas: [{ ...schema, label: 'People' }] }
  expect((await apply(edited)).status).toBe(200)
  for (const answer of [await plan(edited), await apply(edited)])
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('read') } })
})

test('of two changes of one plugin at the same time neither undoes the other', async () => {
  const lastHistoryId = (await apply(MODEL)).body.data.history
  const other = (name: string) => ({
    entities: [{ ...AUTHOR, name, engineSchema: name }],
    schemas: [{ name, properties: [text('code')] }],
  })
  const answers = await Promise.all([
    apply({ ...other('Book'), lastHistoryId }),
    apply({ ...other('Page'), lastHistoryId }),
    apply({ schemas: [person(text('name'), text('born'))] }),
  ])
  const statuses = answers.map(({ status }) => status)
  // The one that read nothing before may come when another is done.
  expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(0)
  expect(statuses.slice(0, 2)).toContain(409)
  expect(statuses).toContain(200)
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body.error).toContain('read them again')
})
