import { expect, test } from 'vitest'
import { GET as HISTORY } from '@/app/api/entities/[entityName]/[id]/history/route'
import { exportEdited } from '@/app/api/plugins/testing/export-api'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { deps } from '@/app/api/plugins/testing/versions'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'

const ID = 'local.shop'
const goods = recordsOf(deps, 'Goods')

const SHOP = pluginFiles(
  {
    EngineSchemas: {
      files: { 'goods.json': { name: 'Goods', properties: [{ name: 'price', type: 'integer' }] } },
    },
    EngineEntities: {
      files: { 'goods.json': { name: 'Goods', description: 'For sale', distribution: 'local' } },
    },
    Goods: { files: { 'data.json': [{ id: 1, price: 3 }] } },
  },
  { id: ID, version: '1.0.0' },
)

const keep = (more: object = {}) => ({
  ...{ type: 'keep-history', entity: 'Goods', enabled: true },
  ...more,
})

async function historyOf(id: string) {
  const at = { path: `/api/entities/Goods/${id}/history`, params: { entityName: 'Goods', id } }
  const { body } = await call(deps, HISTORY, { ...at, as: 'ADMIN' })
  return { kept: body.meta.kept, kinds: body.data.map(({ kind }: { kind: string }) => kind) }
}

async function edit(edits: object[]): Promise<Record<string, string>> {
  const { bytes, files } = await exportEdited(deps, ID, edits)
  const { body, logs } = await install(deps, bytes, { query: '?mode=atomic' })
  expect(body.data.failedCount, JSON.stringify(logs)).toBe(0)
  return files
}

test('the next version of a plugin keeps the history of an entity, and the one after it does not', async () => {
  await install(deps, SHOP)
  await goods.change('1', { price: 4 })
  expect(await historyOf('1')).toEqual({ kept: false, kinds: [] })
  const files = await edit([keep()])
  expect(JSON.parse(files['engineplugin.json'] ?? '').version).toBe('1.1.0')
  expect(JSON.parse(files['EngineEntities/Goods.json'] ?? '')).toMatchObject({
    ...{ description: 'For sale', history: true },
  })
  await goods.change('1', { price: 5 })
  expect(await historyOf('1')).toEqual({ kept: true, kinds: ['update', 'earlier'] })
  await edit([keep({ enabled: false })])
  expect((await historyOf('1')).kept).toBe(false)
})

test.each([
  [{ enabled: false }, 'edits.0.enabled', 'Goods keeps no history already'],
  [{ entity: 'Good' }, 'edits.0.entity', 'The plugin has no entity "Good"; did you mean "Goods"?'],
  [{ type: 'keep' }, 'edits.0.type', 'must be rename-field, keep-history or keep-events'],
  [{ enabled: 'yes' }, 'edits.0.enabled', 'xpected boolean'],
])('refuses %j', async (wrong, field, error) => {
  await install(deps, SHOP)
  const refused = await exportEdited(deps, ID, [keep(wrong)])
  expect([refused.status, refused.validations?.[0]?.field]).toEqual([400, field])
  expect(refused.error).toContain(error)
})
