import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@/lib/values/json'
import type { Policy } from './actor'
import { meets } from './conditions'
import { type Action, includes, type Model } from './model'
import { idOf, type Rows, WORLD, type WorldEntity } from './world'

/** What a request has changed, and which of it the model excludes. */

export type Change = {
  entity: WorldEntity
  id: string
  before: JsonObject | undefined
  after: JsonObject | undefined
}

export function changesBetween(before: Rows, after: Rows): Change[] {
  return WORLD.flatMap((entity) => {
    const [old, now] = [before, after].map(
      (rows) => new Map((rows[entity.name] ?? []).map((row) => [idOf(entity, row), row])),
    ) as [Map<string, JsonObject>, Map<string, JsonObject>]
    return [...new Set([...old.keys(), ...now.keys()])]
      .map((id) => ({ entity, id, before: old.get(id), after: now.get(id) }))
      .filter((one) => !isDeepStrictEqual(one.before, one.after))
  })
}

/** A record that comes back from the trash comes whole, with fields that the caller could not write. */
export const comesBack = ({ before }: Change, wrong: string): boolean =>
  before === undefined && wrong.includes(OF_FIELDS)

const OF_FIELDS = 'may not be written'

/** Why the caller may not have done that, or null. `earlier` and `later` are the caller's models around it. */
export function faultOf(change: Change, earlier: Model, later: Model): string | null {
  const { entity, id, before, after } = change
  const action: Action = !before ? 'write' : after ? 'update' : 'delete'
  const names = after ? fieldsBetween(before, after) : []
  const wrong =
    faultOfStored(entity, before, names, earlier, action) ??
    (after ? faultOfWritten({ entity, before, after, names }, earlier, later, action) : null)
  return wrong && `${action} of ${entity.name}/${id}: ${wrong}`
}

const fieldsBetween = (before: JsonObject = {}, after: JsonObject): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null),
  )

/** Whether the caller may write that, as far as policies say. */
export function mayWrite(
  model: Model,
  entity: WorldEntity,
  before: JsonObject | undefined,
  sent: JsonObject,
): boolean {
  const action = before ? 'update' : 'write'
  const blank = Object.fromEntries(
    entity.fields.flatMap(({ name, property }) => (property ? [[name, null]] : [])),
  )
  const forced = forcedBy(model, entity, action)
  // Nothing is written where a policy gives a value of the caller who has none.
  if (Object.values(forced).includes(null)) return false
  const after = { ...blank, ...before, ...sent, ...forced }
  const names = Object.keys(sent)
  const fault =
    faultOfStored(entity, before, names, model, action) ??
    faultOfWritten({ entity, before, after, names }, model, model, action)
  return fault === null
}

/** What the policies of an action give to each record. */
function forcedBy(model: Model, entity: WorldEntity, action: Action): JsonObject {
  const { allows } = model.rule(entity.name, action)
  const all: JsonObject = Object.assign({}, ...allows.map(({ set = {} }) => set))
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      name,
      value === '$me' ? model.actor.userId : value,
    ]),
  )
}

/** About the record as it was, and the fields that are written. */
function faultOfStored(
  entity: WorldEntity,
  before: JsonObject | undefined,
  names: readonly string[],
  model: Model,
  action: Action,
): string | null {
  if (model.rule(entity.name, action).access !== 'yes') return 'without the right'
  if (!before) return null
  const isReader = model.rule(entity.name, 'read').access !== 'no'
  if (isReader && !model.fieldsOf(entity, before)) return 'the record was hidden'
  const covered = model.fieldsOf(entity, before, action)
  if (!covered) return 'the rule does not cover the record'
  return faultOfFields(
    entity,
    names.filter((name) => !covered.has(name)),
    model,
    action,
  )
}

type Written = {
  entity: WorldEntity
  before: JsonObject | undefined
  after: JsonObject
  names: readonly string[]
}

/** About the record as it was written: a policy that allows it does so before and afterwards. */
function faultOfWritten(
  { entity, before, after, names }: Written,
  earlier: Model,
  later: Model,
  action: Action,
): string | null {
  const { isFree, allows, denies } = earlier.rule(entity.name, action)
  if (isFree) return null
  const held = ({ where = [] }: Policy) => !before || meets(entity, before, where, earlier.find)
  const holds = ({ check, where = [] }: Policy) => meets(entity, after, check ?? where, later.find)
  const granting = allows.filter((one) => !one.isCheckVoid && held(one) && holds(one))
  const denying = denies.filter(holds)
  if (granting.length === 0) return 'no policy allows the record that was written'
  if (denying.some(({ fields }) => !fields)) return 'a policy denies the record that was written'
  const isGranted = (name: string) =>
    granting.some(({ fields }) => includes(fields, name)) &&
    !denying.some(({ fields }) => includes(fields, name))
  return faultOfFields(
    entity,
    names.filter((name) => !isGranted(name)),
    earlier,
    action,
  )
}

function faultOfFields(
  entity: WorldEntity,
  closed: readonly string[],
  model: Model,
  action: Action,
): string | null {
  const forced = Object.keys(forcedBy(model, entity, action))
  const wrong = closed.filter((name) => !entity.keys.includes(name) && !forced.includes(name))
  return wrong.length > 0 ? `the fields ${wrong.join(', ')} ${OF_FIELDS}` : null
}
