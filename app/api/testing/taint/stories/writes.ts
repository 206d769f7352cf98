import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@/lib/values/json'
import type { Answer } from '../requests-to'
import type { Scene, Story } from '../story'
import { entityOf, idOf, type WorldEntity } from '../world'
import { type Change, comesBack, mayWrite } from '../written'
import { pathTo, someRecord } from './records'
import { changesOf, newRecord, writableEntity } from './values'

/** Stock goes with its branch. */
export const goesAlong = (change: Change, wrong: string): boolean =>
  (change.entity.name === 'Stock' && change.after === undefined) || comesBack(change, wrong)

/** The response has the written record as the caller may read it. */
function compareWritten(scene: Scene, entity: WorldEntity, answer: Answer): void {
  const { model, state } = scene
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
  if (answer.status >= 300 || model.rule(entity.name, 'read').access !== 'yes') return
  for (const record of answer.body.data as JsonObject[]) {
    const stored = state.rows[entity.name]?.find(
      (row) => idOf(entity, row) === record.persistenceId,
    )
    const shown = stored && model.shown(entity, stored)
    if (!shown) continue
    const expected = { ...shown, persistenceId: idOf(entity, shown) }
    if (!isDeepStrictEqual(record, expected) && Object.keys(record).length > 1)
      scene.fault(`responds ${JSON.stringify(record)} instead of ${JSON.stringify(expected)}`)
  }
}

export const createRecord: Story = async function* (scene) {
  const entity = writableEntity(scene, 'write')
  const path = `/api/entities/${entity.name}`
  const { model } = scene
  const { access } = model.rule(entity.name, 'write')
  const body = newRecord(scene, entity)
  // Keys of another record, where there is none.
  const isWhole = entity.keys.every((key) => body[key] !== null)
  const isAllowed = isWhole && mayWrite(model, entity, undefined, body)
  const answer = yield { method: 'POST', path, body }
  if (isAllowed && ![200, 201, 409].includes(answer.status))
    scene.fault(`status ${answer.status} for a record that may be created`)
  if (access === 'no' && answer.status !== 403) scene.fault(`status ${answer.status}, not 403`)
  compareWritten(scene, entity, answer)
}

export const createMany: Story = async function* (scene) {
  const entity = writableEntity(scene, 'write')
  const body = Array.from({ length: 1 + scene.random.below(3) }, () => newRecord(scene, entity))
  const answer = yield { method: 'POST', path: `/api/entities/${entity.name}/batch`, body }
  compareWritten(scene, entity, answer)
}

export const changeRecord: Story = async function* (scene) {
  const { random, model } = scene
  const entity = writableEntity(scene, 'update')
  const { id, row } = someRecord(scene, entity)
  const body = changesOf(scene, entity)
  const { access } = model.rule(entity.name, 'update')
  const isReader = model.rule(entity.name, 'read').access === 'yes'
  const isHidden = row !== undefined && isReader && !model.shown(entity, row)
  const isCovered = row !== undefined && model.fieldsOf(entity, row, 'update') !== null
  const method = random.pick(['PATCH', 'PUT'])
  const isAllowed = row !== undefined && mayWrite(model, entity, row, body)
  const answer = yield { method, path: pathTo(entity, id), body }
  if (isAllowed && ![200, 409].includes(answer.status))
    scene.fault(`status ${answer.status} for a change that may be made`)
  const { status } = answer
  if (access === 'no' && status !== 403) scene.fault(`status ${status}, not 403`)
  if (access === 'yes' && isHidden && ![400, 404].includes(status))
    scene.fault(`status ${status} for a hidden record`)
  const isShown = row !== undefined && isReader && !isHidden
  if (access === 'yes' && isShown && !isCovered && ![400, 403].includes(status))
    scene.fault(`status ${status} for a record that may not be changed`)
  compareWritten(scene, entity, answer)
}

/** By the keys in the body, which may be those of hidden records. */
export const changeByKeys: Story = async function* (scene) {
  const { random, state } = scene
  const entity = writableEntity(scene, 'update')
  const rows = random.some(state.rows[entity.name] ?? [], 2, 1)
  const records = rows.map((row) => ({
    ...changesOf(scene, entity),
    ...Object.fromEntries(entity.keys.map((key) => [key, row[key] ?? null])),
  }))
  const isBatch = random.chance(50)
  const path = `/api/entities/${entity.name}${isBatch ? '/batch' : ''}`
  const body = isBatch || random.chance(50) ? records : records[0]
  const answer = yield { method: 'PUT', path, body }
  compareWritten(scene, entity, answer)
}

/** Half of them so that they can be restored, which follows. */
export const deleteRecord: Story = async function* (scene) {
  const { random, model } = scene
  scene.follows = goesAlong
  const entity = writableEntity(scene, 'delete')
  const { id, row } = someRecord(scene, entity)
  const { access } = model.rule(entity.name, 'delete')
  const isReader = model.rule(entity.name, 'read').access !== 'no'
  const isHidden = row !== undefined && isReader && !model.shown(entity, row)
  const isCovered = row !== undefined && model.fieldsOf(entity, row, 'delete') !== null
  const query = random.chance(50) ? '?undo=7d' : ''
  const answer = yield { method: 'DELETE', path: pathTo(entity, id, query) }
  const { status } = answer
  // What goes along needs the right to be deleted, too.
  const done = entity.name === 'Branch' ? [200, 403, 409] : [200, 409]
  const expected =
    access === 'no' ? [403] : isHidden ? [404] : isCovered ? done : row ? [403, 404] : [404]
  const isClear = access !== 'unclear' && model.rule(entity.name, 'read').access !== 'unclear'
  if (isClear && !expected.includes(status)) scene.fault(`status ${status} instead of ${expected}`)
  compareBlockers(scene, answer)
  const batchId = answer.body.meta?.batchId
  if (status === 200 && batchId && random.chance(70))
    yield { method: 'POST', path: `/api/trash/${batchId}/restore` }
}

/** What refers to a record is counted among what the caller sees. */
export function compareBlockers({ model, fault }: Scene, answer: Answer): void {
  type Blocker = { entity: string; count: number | null }
  const meta = answer.body.meta ?? {}
  for (const { entity, count } of [...(meta.blockedBy ?? []), ...(meta.effects ?? [])] as Blocker[])
    if (count !== null && count > model.view(entity).length && answer.status !== 200)
      fault(`${count} referring records of ${entityOf(entity).name}, of which fewer are seen`)
}
