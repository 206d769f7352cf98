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

/** Why the caller may not have done that, or null. `earlier` and `later` are the caller's models around it. */
export function faultOf(change: Change, earlier: Model, later: Model): string | null {
  const { entity, id, before, after } = change
  const action: Action = !before ? 'write' : after ? 'update' : 'delete'
  const why = before
    ? faultOfTouching(change, earlier, action)
    : faultOfRight(change, earlier, action)
  const wrong = why ?? (after ? faultOfRecord(change, earlier, later, action) : null)
  return wrong && `${action} of ${entity.name}/${id}: ${wrong}`
}

function faultOfRight({ entity }: Change, model: Model, action: Action): string | null {
  return model.rule(entity.name, action).access === 'yes' ? null : 'without the right'
}

function faultOfTouching({ entity, before = {} }: Change, model: Model, action: Action) {
  const readable = model.rule(entity.name, 'read').access
  if (readable === 'yes' && !model.fieldsOf(entity, before)) return 'the record was hidden'
  return model.fieldsOf(entity, before, action) ? null : 'the rule does not cover the record'
}

/** About the record as it was written. */
function faultOfRecord(change: Change, earlier: Model, later: Model, action: Action) {
  const { entity, before, after = {} } = change
  const { isFree, allows, denies } = earlier.rule(entity.name, action)
  if (isFree) return null
  const matches = (model: Model, row: JsonObject, policy: Policy) =>
    meets(entity, row, policy.where ?? [], model.find)
  const applying = before ? allows.filter((one) => matches(earlier, before, one)) : allows
  const meeting = applying.filter((policy) => meets(entity, after, boundCheck(policy), later.find))
  if (meeting.length === 0) return 'no policy allows the record that was written'
  const denying = denies.filter((one) => matches(later, after, one))
  if (denying.some(({ fields }) => !fields)) return 'a policy denies the record that was written'
  const set = applying.flatMap((policy) => Object.keys(policy.set ?? {}))
  const written = fieldsBetween(before, after).filter((name) => !entity.keys.includes(name))
  const ungranted = written.filter(
    (name) =>
      !set.includes(name) &&
      (!applying.some(({ fields }) => includes(fields, name)) ||
        denying.some(({ fields }) => includes(fields, name))),
  )
  return ungranted.length > 0 ? `the fields ${ungranted.join(', ')} may not be written` : null
}

const boundCheck = ({ check, where = [] }: Policy) => check ?? where

const fieldsBetween = (before: JsonObject = {}, after: JsonObject): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null),
  )
