import { expect, test } from 'vitest'
import { GET as DEFINITION } from '@/app/api/entities/[entityName]/definition/route'
import { type Files, install, logsOf, upload } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { rolledBack, state } from '@/app/api/plugins/testing/rollbacks'
import { deps, ENTITY, integer, SCHEMA, text, version } from '@/app/api/plugins/testing/versions'
import { archiveOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'

const plugin = 'com.example.shop'
const things = recordsOf(deps, 'Thing')
const RECORDS = [{ id: 1, n: 2, colour: 'red' }]
const shop = (properties: object[], more: object = {}) =>
  version({ properties: [integer('id'), ...properties], records: RECORDS, ...more })
const FIRST = [integer('n'), text('colour', { maxLength: 20 })]

async function apply(body: object): Promise<number> {
  const request = { method: 'POST', path: '/api/model/apply', body: { plugin, ...body } } as const
  const answer = await call(deps, APPLY, { ...request, as: 'ADMIN' })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data.history
}
const schema = (properties: object[]) =>
  apply({ schemas: [{ name: 'Thing', properties: [integer('id'), ...properties] }] })

async function definition() {
  const at = { path: '/api/entities/Thing/definition', params: { entityName: 'Thing' } }
  return (await call(deps, DEFINITION, { ...at, as: 'ADMIN' })).body.data[0]
}
const fields = async () =>
  (await definition()).schema.properties.map(({ name, meta }: { name: string; meta?: object }) => ({
    ...{ name, ...meta },
  }))

async function upgrade(files: Files | Uint8Array, query = '', form = {}) {
  const { body, logs } = await install(deps, files, { query, fields: form })
  expect(body).toMatchObject({ data: { failedCount: 0 } })
  return { id: body.data.history as number, logs }
}
const planOf = async (files: Files | Uint8Array, query = '', form = {}) =>
  (await upload(deps, files, { query: `?dryRun=true${query}`, fields: form })).body.data.plan
const fileOf = (files: { path: string }[], path: string) =>
  files.find((file) => file.path === path) as never

test('fields that were added here and fields that the author adds are both there, and a rollback takes back the author’s alone', async () => {
  await install(deps, shop(FIRST))
  await schema([...FIRST, text('note')])
  await things.change('1', { note: 'mine' })
  const before = await state()
  const { id, logs } = await upgrade(
    shop([integer('n', { max: 9 }), FIRST[1] ?? {}, integer('stock')]),
  )
  expect(await fields()).toEqual([
    { name: 'id' },
    { name: 'n', max: 9 },
    { name: 'colour', maxLength: 20 },
    { name: 'stock' },
    { name: 'note' },
  ])
  expect(fileOf(logs, SCHEMA)).toMatchObject({
    ...{ status: 'updated', conflictCount: 0 },
    changes: expect.arrayContaining(['Keep what was changed here in the schema Thing: note']),
  })
  expect((await things.read('1')).body.data[0]).toMatchObject({ n: 2, note: 'mine', stock: null })
  await rolledBack(id)
  expect(await state()).toEqual(before)
  await upgrade(shop([FIRST[0] ?? {}]))
  expect(await fields()).toEqual([{ name: 'id' }, { name: 'n' }, { name: 'note' }])
})

test('rules of one field, choices and settings of the entity are merged, and what the author adopts is the author’s', async () => {
  const choices = (...values: string[]) => text('colour', { enum: values })
  await install(deps, shop([integer('n'), choices('red', 'blue')]))
  await schema([integer('n', { min: 0 }), choices('red', 'blue', 'green')])
  const { entity } = await definition()
  await apply({ entities: [{ ...entity, history: true }] })
  const next = [integer('n', { max: 9 }), choices('red', 'black')]
  await upgrade(shop(next, { entity: { description: 'For sale' } }))
  const both = [{ name: 'id' }, { name: 'n', min: 0, max: 9 }]
  expect(await fields()).toEqual([...both, { name: 'colour', enum: ['red', 'black', 'green'] }])
  expect((await definition()).entity).toMatchObject({ history: true, description: 'For sale' })

  await upgrade(shop([integer('n', { min: 0, max: 9 }), choices('red', 'black', 'green')]))
  await upgrade(shop([integer('n'), choices('red', 'black')]))
  expect(await fields()).toEqual([
    ...[{ name: 'id' }, { name: 'n' }],
    { name: 'colour', enum: ['red', 'black'] },
  ])
  expect((await definition()).entity).toMatchObject({ history: true })
})

const NEXT = shop([integer('n'), text('colour', { maxLength: 30 }), integer('stock')])
const DISPUTED = {
  ...{ key: 'Thing', change: 'edited' },
  fields: [{ field: 'colour.maxLength', base: 20, ours: 40, theirs: 30 }],
}
const inDispute = async () => {
  await install(deps, shop(FIRST))
  await schema([integer('n'), text('colour', { maxLength: 40 })])
}
const take = { decisions: JSON.stringify({ EngineSchemas: { take: ['Thing'] } }) }

test.each([
  ['', {}, 'keep', 40],
  ['&onConflict=take', {}, 'take', 30],
  ['&onConflict=fail', take, 'take', 30],
] as const)(
  'what both changed is a conflict of the plan, which %s %j decides: %s',
  async (query, form, decision, maxLength) => {
    await inDispute()
    const archive = await archiveOf(NEXT)
    const plan = await planOf(archive, query, form)
    const expected = { conflictCount: 1, conflicts: [{ ...DISPUTED, decision }] }
    expect(fileOf(plan.files, SCHEMA)).toMatchObject({ status: 'updated', ...expected })
    const seal = `&seal=${encodeURIComponent(plan.seal)}`
    const { logs } = await upgrade(archive, `?${query}${seal}`, form)
    expect(fileOf(logs, SCHEMA)).toMatchObject(expected)
    expect(await fields()).toEqual([
      ...[{ name: 'id' }, { name: 'n' }, { name: 'colour', maxLength }],
      { name: 'stock' },
    ])
    // The side that was chosen is the base of the next one.
    const later = await planOf(shop([integer('n'), text('colour', { maxLength: 30 })]))
    expect(fileOf(later.files, SCHEMA)).toMatchObject({ conflictCount: 0 })
  },
)

test('undecided conflicts fail their file, and a decision about none is refused', async () => {
  await inDispute()
  const failed = await planOf(NEXT, '&onConflict=fail')
  expect(fileOf(failed.files, SCHEMA)).toMatchObject({
    ...{ status: 'failed', error: 'Conflict Issue!', conflicts: [DISPUTED] },
    details: [{ key: 'Thing', message: expect.stringContaining('"colour.maxLength" of Thing') }],
  })
  expect(fileOf(failed.files, ENTITY)).toMatchObject({ status: 'unchanged' })
  const fields = { decisions: JSON.stringify({ EngineSchemas: { keep: ['Other'] } }) }
  const refused = await upload(deps, NEXT, { query: '?dryRun=true', fields })
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.body.error).toContain('EngineSchemas "Other"')
})

test('a field that was changed here and that the author removes is a conflict, and one that only the author has goes', async () => {
  await inDispute()
  const plan = await planOf(shop([]))
  expect(fileOf(plan.files, SCHEMA)).toMatchObject({
    conflicts: [{ fields: [{ field: 'colour', theirs: null }] }],
  })
  await upgrade(shop([]))
  expect(await fields()).toEqual([{ name: 'id' }, { name: 'colour', maxLength: 40 }])
})

test('a field that was renamed here takes over what the author changes of it', async () => {
  await install(deps, shop(FIRST))
  await apply({ edits: [{ type: 'rename-field', entity: 'Thing', field: 'n', to: 'amount' }] })
  await things.change('1', { colour: 'blue' })
  const properties = [integer('id'), integer('n', { max: 9 }), FIRST[1] ?? {}]
  const records = [
    { id: 1, n: 7, colour: 'red' },
    { id: 2, n: 3 },
  ]
  await upgrade(version({ properties, records, schema: { additionalProperties: false } }))
  expect(await fields()).toEqual([
    ...[{ name: 'id' }, { name: 'amount', max: 9 }],
    { name: 'colour', maxLength: 20 },
  ])
  expect((await things.read('1')).body.data[0]).toMatchObject({ amount: 7, colour: 'blue' })
  expect((await things.read('2')).body.data[0]).toMatchObject({ amount: 3 })
})

test('records of the author are found by a key that was renamed here', async () => {
  await install(deps, shop(FIRST))
  await apply({ edits: [{ type: 'rename-field', entity: 'Thing', field: 'id', to: 'code' }] })
  await things.change('1', { colour: 'blue' })
  const records = [{ id: 1, n: 8, colour: 'red' }]
  const { logs } = await upgrade(shop(FIRST, { records }))
  expect(fileOf(logs, 'Thing/data.json')).toMatchObject({ records: { created: 0, updated: 1 } })
  expect((await things.read('1')).body.data[0]).toMatchObject({ code: 1, n: 8, colour: 'blue' })
})

test('what doesn’t fit together fails with the reason', async () => {
  await install(deps, shop([text('note', { maxLength: 20 })]))
  await schema([text('note', { minLength: 5, maxLength: 20 })])
  const plan = await planOf(shop([text('note', { maxLength: 3 })]))
  expect(fileOf(plan.files, SCHEMA)).toMatchObject({
    ...{ status: 'failed', error: 'Invalid definition' },
    details: [{ message: expect.stringContaining('With what was changed here in Thing') }],
  })
})

test('a version from before in the same form is merged as well', async () => {
  await inDispute()
  const { id } = await upgrade(NEXT, '?onConflict=take')
  await rolledBack(id)
  expect(await fields()).toContainEqual({ name: 'colour', maxLength: 40 })
  expect(fileOf((await planOf(NEXT)).files, SCHEMA)).toMatchObject({ conflicts: [DISPUTED] })
  expect((await logsOf(deps, id)).length).toBeGreaterThan(0)
})
