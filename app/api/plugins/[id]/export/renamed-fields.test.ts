import { expect, test } from 'vitest'
import { exportEdited, exportPlugin } from '@/app/api/plugins/testing/export-api'
import { historyOf, install } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { rolledBack } from '@/app/api/plugins/testing/rollbacks'
import { deps } from '@/app/api/plugins/testing/versions'
import { pluginFiles } from '@/lib/testing/archive'

const ID = 'com.example.shop'
const goods = recordsOf(deps, 'Goods')

const SHOP = (id = ID) =>
  pluginFiles(
    {
      EngineSchemas: {
        files: {
          'goods.json': {
            name: 'Goods',
            unique: [{ fields: ['code', 'price'] }],
            properties: [
              { name: 'code', type: 'string', label: 'Code' },
              { name: 'price', type: 'integer', meta: { indexed: true } },
              {
                name: 'gross',
                type: 'integer',
                meta: { computed: 'price * 2 + coalesce(price, 1)' },
              },
            ],
          },
          'line.json': {
            name: 'Line',
            properties: [
              {
                name: 'goods',
                type: 'string',
                meta: { reference: { entity: 'Goods', field: 'code' } },
              },
            ],
          },
        },
      },
      EngineEntities: {
        files: {
          'goods.json': {
            name: 'Goods',
            pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
            indexes: [{ fields: ['price', 'code'] }],
          },
          'line.json': { name: 'Line' },
        },
      },
      EnginePolicies: {
        files: {
          'p.json': {
            name: 'cheap goods',
            principals: ['CLERK'],
            entities: ['goods'],
            actions: ['read'],
            where: [{ field: 'price', operator: 'lt', value: 5 }],
            fields: { except: ['price'] },
          },
        },
      },
      Goods: {
        files: {
          'data.json': [
            { code: 'cup', price: 3 },
            { code: 'dish', price: 7 },
          ],
        },
      },
      Line: { files: { 'data.json': [{ goods: 'cup' }] } },
    },
    { id, version: '1.2.0' },
  )

const rename = (field: string, to: string, more = {}) => ({
  type: 'rename-field',
  entity: 'Goods',
  ...{ field, to },
  ...more,
})

/** The files of definitions in an archive, as JSON by their paths. */
const contents = ({ files }: { files: Record<string, string> }, path: string) =>
  JSON.parse(files[path] ?? 'null')

test('a renamed field keeps its values, and everything that names it follows', async () => {
  await install(deps, SHOP())
  const before = (await goods.read('cup')).body.data[0]
  const exported = (await exportPlugin(deps, ID)).bytes
  const edited = await exportEdited(deps, ID, [rename('price', 'net', { label: 'Net price' })])
  expect(edited.headers.get('content-disposition')).toContain(
    'com.example.shop-1.2.0%2Blocal.1.zip',
  )

  const { body, logs } = await install(deps, edited.bytes, { query: '?mode=atomic' })
  expect(body.data.failedCount, JSON.stringify(logs)).toBe(0)
  // What is computed from it is not computed again.
  const changes = logs.flatMap((file) => file.changes)
  expect(changes).toContain('Rename the column price of entities.goods to net')
  expect(changes.join()).not.toContain('gross')
  expect((await historyOf(deps, body.data.history)).version).toBe('1.2.0+local.1')
  expect((await goods.read('cup')).body.data[0]).toMatchObject({ net: 3, gross: 9 })
  expect(contents(edited, 'EngineSchemas/Goods.json')).toMatchObject({
    unique: [{ fields: ['code', 'net'] }],
    properties: [
      { name: 'code', label: 'Code' },
      { name: 'net', label: 'Net price', renamedFrom: ['price'] },
      { name: 'gross', meta: { computed: 'net * 2 + coalesce(net, 1)' } },
    ],
  })
  expect(contents(edited, 'EngineEntities/Goods.json').indexes).toEqual([
    { fields: ['net', 'code'], unique: false },
  ])
  expect(contents(edited, 'EnginePolicies/cheap goods.json')).toMatchObject({
    where: [{ field: 'net', operator: 'lt', value: 5 }],
    fields: { except: ['net'] },
  })

  await rolledBack(body.data.history)
  expect((await goods.read('cup')).body.data[0]).toEqual(before)
  expect((await exportPlugin(deps, ID)).bytes).toEqual(exported)
})

test('a renamed key is followed by references to it, and can get its former name again', async () => {
  await install(deps, SHOP())
  const edited = await exportEdited(deps, ID, [rename('code', 'sku')])
  await install(deps, edited.bytes, { query: '?mode=atomic' })
  expect((await goods.read('cup')).body.data[0]).toMatchObject({ sku: 'cup', price: 3 })
  expect(contents(edited, 'EngineSchemas/Line.json').properties[0].meta.reference).toEqual({
    ...{ entity: 'Goods', field: 'sku' },
  })
  expect((await goods.remove('cup')).status).toBe(409)

  const back = await exportEdited(deps, ID, [rename('sku', 'code')])
  const { body, logs } = await install(deps, back.bytes, { query: '?mode=atomic' })
  expect(body.data.failedCount, JSON.stringify(logs)).toBe(0)
  expect(contents(back, 'engineplugin.json').version).toBe('1.2.0+local.2')
  expect((await goods.read('cup')).body.data[0]).toMatchObject({ code: 'cup', price: 3 })
})

test('a version renames several fields, but gives none the name that another one has until then', async () => {
  await install(deps, SHOP('local.shop'))
  const edits = [rename('price', 'net'), rename('code', 'price')]
  const swapped = await exportEdited(deps, 'local.shop', edits)
  expect([swapped.status, swapped.error]).toEqual([...[400, 'Goods has a field "price" already']])
  const edited = await exportEdited(deps, 'local.shop', [edits[0] ?? {}, rename('code', 'sku')])
  expect(contents(edited, 'engineplugin.json').version).toBe('1.3.0')
  const { body } = await install(deps, edited.bytes, { query: '?mode=atomic' })
  expect(body.data.failedCount).toBe(0)
  expect((await goods.read('cup')).body.data[0]).toMatchObject({ sku: 'cup', net: 3 })
})

test('a key that no schema declares is renamed too', async () => {
  await install(deps, SHOP())
  const edited = await exportEdited(deps, ID, [{ ...rename('id', 'number'), entity: 'Line' }])
  const { body } = await install(deps, edited.bytes, { query: '?mode=atomic' })
  expect(body.data.failedCount).toBe(0)
  const lines = recordsOf(deps, 'Line')
  expect((await lines.read('1')).body.data[0]).toMatchObject({ number: 1, goods: 'cup' })
})

const REFUSED = [
  [{ field: 'prize' }, 'edits.0.field', 'Goods declares no field "prize"; did you mean "price"?'],
  [{ entity: 'Good' }, 'edits.0.entity', 'The plugin has no entity "Good"; did you mean "Goods"?'],
  [{ to: 'Code' }, 'edits.0.to', 'Goods has a field "code" already'],
  [{ to: 'price' }, 'edits.0.to', 'The field is called "price" already'],
  [{ to: 'a b' }, 'edits.0.to', 'The name "a b" can\'t be used'],
  [{ to: 'xmin' }, 'edits.0.to', 'The name "xmin" can\'t be used'],
] as const
test('refuses fields and entities that are not there, and names that are taken or none', async () => {
  await install(deps, SHOP())
  for (const [wrong, field, error] of REFUSED) {
    const refused = await exportEdited(deps, ID, [rename('price', 'net', wrong)])
    expect
      .soft([refused.status, refused.validations?.[0]?.field, refused.error])
      .toEqual([400, field, expect.stringContaining(error)])
  }
})

test('needs the right to read plugins, and a plugin that is installed', async () => {
  await install(deps, SHOP())
  const edits = [rename('price', 'net')]
  expect((await exportEdited(deps, ID, edits, { as: 'EDITOR' })).status).toBe(403)
  expect((await exportEdited(deps, 'com.example.other', edits)).status).toBe(404)
})
