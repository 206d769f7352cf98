import { expect, test } from 'vitest'
import { GET as DEFINITION } from '@/app/api/entities/[entityName]/definition/route'
import { exportLayer } from '@/app/api/plugins/testing/export-api'
import { historyOf, install } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { setPolicy } from '@/app/api/plugins/testing/signed-shop'
import { deps, integer, text, version } from '@/app/api/plugins/testing/versions'
import { testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'
import { GET as LAYERS } from './layers/route'
import { POST as PLAN } from './plan/route'

const plugin = 'com.example.shop'
const things = recordsOf(deps, 'Thing')
const properties = [integer('id'), integer('n', { max: 90 }), text('colour')]
const SHOP = version({ properties, records: [{ id: 1, n: 2, colour: 'red' }] })

const post = (handler: typeof PLAN, name: string, body: object, query = '') =>
  call(deps, handler, {
    ...{ method: 'POST', path: `/api/model/${name}${query}`, as: 'ADMIN' },
    body: { plugin, ...body },
  })
async function apply(body: object): Promise<number> {
  const answer = await post(APPLY, 'apply', body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data.history
}
const layers = async () =>
  (await call(deps, LAYERS, { path: '/api/model/layers', as: 'ADMIN' })).body.data
async function schema() {
  const at = { path: '/api/entities/Thing/definition', params: { entityName: 'Thing' } }
  return (await call(deps, DEFINITION, { ...at, as: 'ADMIN' })).body.data[0].schema.properties
}

/** A field, a rule, an entity and a name. */
async function change(): Promise<number[]> {
  const changed = [integer('id'), integer('n', { max: 9 }), text('colour'), text('note')]
  return [
    await apply({ schemas: [{ name: 'Thing', properties: changed }] }),
    await apply({ entities: [{ name: 'Box' }] }),
    await apply({
      edits: [{ type: 'rename-field', entity: 'Thing', field: 'colour', to: 'paint' }],
    }),
  ]
}

test('what was changed here is listed, by plugin and field, with who did it', async () => {
  const { body } = await install(deps, SHOP)
  expect(await layers()).toEqual([])
  const ids = await change()
  const { version } = await historyOf(deps, body.data.history)
  const [layer, ...others] = await layers()
  expect(others).toEqual([])
  expect(layer).toMatchObject({
    ...{ plugin, baseVersion: version, version: `${version}+local.3`, lastHistoryId: ids[2] },
    changes: [
      {
        ...{ kind: 'schema', name: 'Thing', change: 'changed' },
        fields: [
          { field: 'n.max', base: 90, ours: 9 },
          { field: 'colour.name', base: 'colour', ours: 'paint' },
          { field: 'note', base: null, ours: { name: 'note' } },
        ],
      },
      { kind: 'entity', name: 'Box', change: 'added', fields: [] },
    ],
    installs: ids.toReversed().map((id) => ({ id, by: expect.any(String) })),
  })
  await apply({ plugin: 'local.model', entities: [{ name: 'Own' }] })
  expect(await layers()).toHaveLength(1)
})

test('definitions become again as the author gave them, with the values of their records', async () => {
  const { body } = await install(deps, SHOP)
  await change()
  await things.change('1', { paint: 'blue', note: 'mine' })
  const before = await schema()
  const reverted = [{ kind: 'schema', name: 'Thing' }]
  const { seal } = (await post(PLAN, 'plan', { reverted })).body.data.plan
  expect(await schema()).toEqual(before)
  const query = `?seal=${encodeURIComponent(seal)}`
  expect((await post(APPLY, 'apply', { reverted }, query)).status).toBe(200)
  const record = (await things.read('1')).body.data[0]
  expect(record).toMatchObject({ n: 2, colour: 'blue' })
  expect(record).not.toHaveProperty('note')
  expect((await things.change('1', { n: 50 })).status).toBe(200)
  const [layer] = await layers()
  expect(layer.changes.map(({ name }: { name: string }) => name)).toEqual(['Box'])
  expect(body.data.failedCount).toBe(0)
})

test('with the last change the version is the author’s again', async () => {
  const { body } = await install(deps, SHOP)
  await apply({ schemas: [{ name: 'Thing', properties: [...properties, text('note')] }] })
  const id = await apply({ reverted: [{ kind: 'schema', name: 'Thing' }] })
  expect(await layers()).toEqual([])
  const { version } = await historyOf(deps, body.data.history)
  expect((await historyOf(deps, id)).version).toBe(version)
})

const REFUSED = [
  [{ reverted: [{ kind: 'schema', name: 'Thing' }] }, 'was not changed here'],
  [{ reverted: [{ kind: 'entity', name: 'Boxes' }] }, 'was not changed here'],
  [{ reverted: [{ kind: 'schema', name: 'Thing' }], removed: ['Box'] }, 'by themselves'],
] as const
test('what was not changed here is not taken back, nor together with a removal', async () => {
  await install(deps, SHOP)
  await apply({ entities: [{ name: 'Box' }] })
  for (const [body, error] of REFUSED)
    expect
      .soft(await post(PLAN, 'plan', body))
      .toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } })
})

test('an exported layer makes the same changes over the author’s version elsewhere, where later versions merge with it', async () => {
  await install(deps, SHOP)
  expect((await exportLayer(deps, plugin)).status).toBe(409)
  await change()
  const expected = await layers()
  const { bytes, files } = await exportLayer(deps, plugin)
  expect(Object.keys(files)).not.toContain('Thing/data.json')
  expect((await exportLayer(deps, 'com.example.away')).status).toBe(404)

  await testDeps()
  await install(deps, SHOP)
  setPolicy(deps, 'require')
  expect((await install(deps, bytes)).status).toBe(403)
  setPolicy(deps, 'off')
  expect((await install(deps, bytes)).body.data.failedCount).toBe(0)
  const [layer] = await layers()
  expect(layer.changes).toEqual(expected[0].changes.slice(0, 1))
  expect((await things.read('1')).body.data[0]).toMatchObject({ n: 2, paint: 'red' })
  const next = version({ properties: [...properties, text('brand')] })
  expect((await install(deps, next)).body.data.failedCount).toBe(0)
  expect((await schema()).map(({ name }: { name: string }) => name)).toEqual([
    ...['id', 'n', 'paint', 'brand', 'note'],
  ])
})
