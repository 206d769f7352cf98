import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { filesOfWorld, PLUGIN } from '../plugin'
import type { Story } from '../story'
import { tokensIn, WORLD, worldRows } from '../world'

/** What the console of an administrator asks about plugins, asked by whoever. */
export const pluginReads: Story = async function* (scene) {
  const { random } = scene
  const path = random.pick([
    '/api/plugins',
    `/api/plugins/${PLUGIN}`,
    `/api/plugins/${PLUGIN}/drift?size=100`,
    `/api/plugins/${PLUGIN}/export?records=${random.pick(['all', 'changed', 'none'])}`,
    '/api/plugins/history',
    '/api/plugins/history/1',
    '/api/plugins/history/1?detail=records&size=100',
    '/api/plugins/history/1/logs',
    '/api/model/layers',
    '/api/model/definitions?kind=policy',
    `/api/model/layers/${PLUGIN}/export`,
  ])
  // Those who may read all of an entity may know what the plugin gave.
  const open = WORLD.filter(({ name }) => scene.model.rule(name, 'read').isFree)
  const rows = worldRows()
  for (const { name } of open)
    for (const token of tokensIn(JSON.stringify(rows[name]))) scene.derived.add(token)
  const answer = yield { method: 'GET', path }
  if (answer.status >= 500) scene.fault(`status ${answer.status}`)
}

export const pluginPlan: Story = async function* (scene) {
  const { random } = scene
  const body = uploadOf(await archiveOf(filesOfWorld(random.chance(50) ? '1.0.1' : '1.0.0')))
  const query = `dryRun=true&detail=records&onConflict=${random.pick(['keep', 'take'])}`
  const answer = yield { method: 'POST', path: `/api/plugins/install/zip?${query}`, body }
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
}

/** Of which stored texts are too long. */
const NARROW = {
  name: 'Order',
  properties: [{ name: 'orderHint', type: 'string', meta: { maxLength: 1 } }],
}

export const pluginTrials: Story = async function* (scene) {
  const { random } = scene
  const [method, path, body] = random.pick([
    ['DELETE', `/api/plugins/${PLUGIN}?dryRun=true`, undefined],
    ['POST', '/api/plugins/history/1/rollback?dryRun=true', undefined],
    [
      'POST',
      `/api/plugins/${PLUGIN}/export`,
      { edits: [{ type: 'rename-field', entity: 'Order', field: 'orderHint', to: 'hint' }] },
    ],
    ['POST', '/api/plugins/export', { entities: ['Order', 'Stock'] }],
    ['POST', `/api/plugins/${PLUGIN}/drift/resolve`, {}],
    ['GET', '/api/entities/Order/definition', undefined],
    ['POST', '/api/model/plan', { plugin: PLUGIN, schemas: [NARROW] }],
  ] as const)
  const answer = yield { method, path, body }
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
}

const SYSTEM = ['EngineAuditLog', 'EngineRecordVersions', 'EngineSchemas', 'EngineUsers']

/** Only administrators may. */
export const systemEntities: Story = async function* (scene) {
  const name = scene.random.pick(SYSTEM)
  const isExport = scene.random.chance(30)
  const path = `/api/entities/${name}/${isExport ? 'export?format=json' : 'search'}`
  const body = isExport ? {} : { pagination: { size: 1000 } }
  const answer = yield { method: 'POST', path, body }
  const isAdmin = scene.actor.roles.includes('ADMIN')
  if (answer.status === 200 && !isAdmin) scene.fault('a system entity is open')
}
