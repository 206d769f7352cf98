import type { Json, JsonObject } from '@/lib/values/json'
import { readableEntity, type Scene } from '../story'
import { numberToken, STATES, textToken, WORLD, type WorldEntity, type WorldField } from '../world'

/** Mostly an entity with the right to write. */
export function writableEntity(scene: Scene, action: 'write' | 'update' | 'delete'): WorldEntity {
  const open = WORLD.filter(({ name }) => scene.model.rule(name, action).access === 'yes')
  return open.length > 0 && !scene.random.chance(10)
    ? scene.random.pick(open)
    : readableEntity(scene)
}

/** Mostly names that the caller may write. */
function someFields(scene: Scene, entity: WorldEntity, action: 'write' | 'update'): WorldField[] {
  const granted = scene.model.names(entity.name, action)
  const own = entity.fields.filter(({ name }) => !entity.keys.includes(name))
  const right = own.filter(({ name }) => granted.has(name))
  const from = right.length > 0 && scene.random.chance(75) ? right : own
  return scene.random.some(from, 4, 1)
}

/** A value that fits the field: a new token, or one that some record has. */
function valueFor(scene: Scene, { name, kind, refersTo }: WorldField): Json {
  const { random, fresh, actor } = scene
  if (refersTo) return random.chance(90) ? keyOf(scene, refersTo) : null
  if (name === 'orderState') return random.pick(STATES)
  if (name === 'stockOrder') return random.below(4)
  if (name === 'orderClerk' || name === 'branchChief')
    return random.chance(50) ? actor.userId : 'nobody'
  // A unique value of another record, maybe of a hidden one.
  const isUnique = name === 'orderNumber' || name === 'regionTitle'
  const entity = name === 'orderNumber' ? 'Order' : 'Region'
  if (isUnique && random.chance(30)) return anyRow(scene, entity)[name] ?? null
  if (kind === 'number') return numberToken(fresh())
  if (kind === 'date') return '2026-01-05'
  return name === 'branchNotes' ? { inside: textToken(fresh()) } : textToken(fresh())
}

/** A stored record, whoever may see it; one without fields where there is none. */
export function anyRow({ random, state }: Scene, name: string): JsonObject {
  const rows = state.rows[name] ?? []
  return rows.length > 0 ? random.pick(rows) : {}
}

function keyOf(scene: Scene, name: string): Json {
  const [key = ''] = WORLD.find((entity) => entity.name === name)?.keys ?? []
  return anyRow(scene, name)[key] ?? null
}

/** A record to be created; its key may be taken. */
export function newRecord(scene: Scene, entity: WorldEntity): JsonObject {
  const { random, fresh } = scene
  const isTaken = random.chance(20)
  const taken = anyRow(scene, entity.name)
  const keys = entity.name === 'Order' && !isTaken ? [] : entity.keys
  const values = keys.map((key): [string, Json] => {
    const field = entity.fields.find(({ name }) => name === key) as WorldField
    if (isTaken) return [key, taken[key] ?? null]
    if (field.refersTo) return [key, keyOf(scene, field.refersTo)]
    return [key, field.kind === 'number' ? numberToken(fresh()) : textToken(fresh())]
  })
  const title: JsonObject = entity.name === 'Branch' ? { branchTitle: textToken(fresh()) } : {}
  const chosen = someFields(scene, entity, 'write').map((field): [string, Json] => [
    field.name,
    valueFor(scene, field),
  ])
  return { ...Object.fromEntries(values), ...title, ...Object.fromEntries(chosen) }
}

export const changesOf = (scene: Scene, entity: WorldEntity): JsonObject =>
  Object.fromEntries(
    someFields(scene, entity, 'update').map((field) => [field.name, valueFor(scene, field)]),
  )
