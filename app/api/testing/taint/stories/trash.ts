import type { Scene, Story } from '../story'

type Batch = { batchId: string; entity: string; count: number; kind: string }

/** Seen, looked into, restored in part or as a whole, or deleted for good. */
export const trash: Story = async function* (scene) {
  const { random } = scene
  const list = yield { method: 'GET', path: '/api/trash?size=100' }
  const batches = (list.body.data ?? []) as Batch[]
  if (batches.length === 0) return
  const { batchId, entity } = random.pick(batches)
  const path = `/api/trash/${batchId}`
  yield { method: 'GET', path: `/api/trash?entity=${entity}` }
  yield { method: 'GET', path }
  const records = yield { method: 'GET', path: `${path}/records?size=100` }
  if (records.status >= 500) scene.fault(`status ${records.status}`)
  if (random.chance(60)) return
  const ids = (records.body.data ?? []).map(({ id }: { id: number }) => id) as number[]
  const part = ids.length > 0 && random.chance(50) ? `?records=${random.some(ids, 2, 1)}` : ''
  const restored = yield { method: 'POST', path: `${path}/restore${part}` }
  if (restored.status >= 500) scene.fault(`status ${restored.status}`)
  yield { method: 'GET', path }
}

/** Of a batch that somebody else knows. */
export const trashOfOthers: Story = async function* (scene) {
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
