import type { Scene, Story } from '../story'
import { WORLD } from '../world'
import { comesBack } from '../written'

type Batch = { batchId: string; entity: string; count: number; kind: string }

/** Seen, looked into, restored in part or as a whole, or deleted for good. */
export const trash: Story = async function* (scene) {
  const { random } = scene
  scene.follows = comesBack
  const list = yield { method: 'GET', path: '/api/trash?size=100' }
  const batches = (list.body.data ?? []) as Batch[]
  if (batches.length === 0) return
  for (const batch of batches) compareCount(scene, batch, batch.count)
  const chosen = random.pick(batches)
  const { batchId, entity } = chosen
  const path = `/api/trash/${batchId}`
  yield { method: 'GET', path: `/api/trash?entity=${entity}` }
  yield { method: 'GET', path }
  const records = yield { method: 'GET', path: `${path}/records?size=100` }
  if (records.status >= 500) scene.fault(`status ${records.status}`)
  if (records.status === 200) compareCount(scene, chosen, records.body.data.length)
  if (random.chance(60)) return
  const ids = (records.body.data ?? []).map(({ id }: { id: number }) => id) as number[]
  const part = ids.length > 0 && random.chance(50) ? `?records=${random.some(ids, 2, 1)}` : ''
  const restored = yield { method: 'POST', path: `${path}/restore${part}` }
  if (restored.status >= 500) scene.fault(`status ${restored.status}`)
  yield { method: 'GET', path }
}

/** A deletion has so many records as its reader would see if they were stored. */
function compareCount({ model, state, fault }: Scene, batch: Batch, count: number): void {
  const { batchId, kind, entity: name } = batch
  const entity = WORLD.find((one) => one.name === name)
  if (kind !== 'records' || !entity || model.rule(entity.name, 'read').access !== 'yes') return
  const kept = state.trash.filter((one) => one.batch === batchId)
  const expected = kept.filter(({ record }) => model.shown(entity, record)).length
  if (count !== expected) fault(`${count} records in the trash instead of ${expected}`)
}

/** Of a batch that somebody else knows. */
export const trashOfOthers: Story = async function* (scene) {
  scene.follows = comesBack
  const batches = await batchesOf(scene)
  if (batches.length === 0) return
  const path = `/api/trash/${scene.random.pick(batches)}`
  yield { method: 'GET', path }
  yield { method: 'GET', path: `${path}/records` }
  if (scene.random.chance(40)) yield { method: 'POST', path: `${path}/restore` }
  if (scene.random.chance(10)) yield { method: 'DELETE', path }
}

export const emptyTrash: Story = async function* ({ random }) {
  if (random.chance(10)) yield { method: 'DELETE', path: '/api/trash?entity=Stock' }
}

async function batchesOf({ stage }: Scene): Promise<string[]> {
  const { body } = await stage.asAdmin({ method: 'GET', path: '/api/trash?size=100' })
  return (body.data as Batch[]).map(({ batchId }) => batchId)
}
