import type { JsonObject } from '@/lib/values/json'
import { namesIn, pathOf, pathsOf, select } from '../conditions'
import { randomConditions } from '../random-conditions'
import { knownPaths, type Scene, type Story, statusFor } from '../story'
import type { WorldEntity } from '../world'
import { changesOf, writableEntity } from './values'
import { compareBlockers, goesAlong } from './writes'

function conditionsOf(scene: Scene, entity: WorldEntity) {
  const { random, model, state } = scene
  const paths = random.chance(80) ? knownPaths(model, entity) : pathsOf(entity)
  return randomConditions(random, entity, { paths, rows: state.rows })
}

/** Records that the caller sees, that match, and that the action may touch. */
function touched(
  { model, state }: Scene,
  entity: WorldEntity,
  query: ReturnType<typeof conditionsOf>,
  action: 'update' | 'delete',
): JsonObject[] | null {
  const names = namesIn(query).flatMap((name) => pathOf(entity, name) ?? [])
  const isRight = statusFor(model, entity.name, names)?.includes(200)
  if (!isRight || model.rule(entity.name, action).access !== 'yes') return null
  const found = select(entity, model.view(entity.name), { conditions: query }, model.findShown)
  const key = (row: JsonObject) => JSON.stringify(entity.keys.map((name) => row[name]))
  const keys = new Set(found.map(key))
  return (state.rows[entity.name] ?? []).filter(
    (row) => keys.has(key(row)) && model.fieldsOf(entity, row, action),
  )
}

const parameters = ({ random }: Scene, count: number) => {
  const chosen = [
    ...(random.chance(50) ? ['dryRun=true'] : []),
    ...(random.chance(30) ? [`expected=${random.chance(50) ? count : random.below(20)}`] : []),
    ...(random.chance(40) ? ['undo=7d'] : []),
  ]
  return chosen.length > 0 ? `?${chosen.join('&')}` : ''
}

export const deleteBatch: Story = async function* (scene) {
  scene.follows = goesAlong
  const entity = writableEntity(scene, 'delete')
  const query = conditionsOf(scene, entity)
  const expected = touched(scene, entity, query, 'delete')
  const path = `/api/entities/${entity.name}/batch${parameters(scene, expected?.length ?? 0)}`
  const body = { entity: entity.name, ...(query.length > 0 ? { query } : {}) }
  const answer = yield { method: 'DELETE', path, body }
  compareBatch(scene, answer, expected?.length ?? null)
  compareBlockers(scene, answer)
  const batchId = answer.body.meta?.batchId
  if (batchId && scene.random.chance(60))
    yield { method: 'POST', path: `/api/trash/${batchId}/restore` }
}

export const editBatch: Story = async function* (scene) {
  const { model } = scene
  const entity = writableEntity(scene, 'update')
  const query = conditionsOf(scene, entity)
  const set = changesOf(scene, entity)
  const expected = touched(scene, entity, query, 'update')
  const path = `/api/entities/${entity.name}/batch${parameters(scene, expected?.length ?? 0)}`
  const body = { entity: entity.name, query, set }
  const { allows, denies } = model.rule(entity.name, 'update')
  const isPlain = allows.every(({ fields, check }) => !fields && !check) && denies.length === 0
  const answer = yield { method: 'PATCH', path, body }
  compareBatch(scene, answer, isPlain ? (expected?.length ?? null) : null)
  const batchId = answer.body.meta?.batchId
  if (batchId && scene.random.chance(60))
    yield { method: 'POST', path: `/api/trash/${batchId}/restore` }
}

function compareBatch(
  scene: Scene,
  answer: { status: number; text: string; body: { data: JsonObject[] } },
  expected: number | null,
): void {
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
  const received = answer.body.data?.[0]?.effected
  if (answer.status === 200 && expected !== null && received !== expected)
    scene.fault(`${received} records instead of ${expected}`)
}
