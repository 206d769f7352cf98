import type { Actor } from '@/lib/auth/rights'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'

/** Stands for the id of the caller. */
export const ME = '$me'
const PROFILE = '$me.profile.'

/** Whether a value of a rule stands for one of the caller. */
export const isOfActor = (value: Json): value is string =>
  typeof value === 'string' && (value === ME || value.startsWith(PROFILE))

/**
 * Conditions of a rule with the caller's own values in place of `$me` and `$me.profile.<key>`; the same list when it has none.
 * `isMissing`: the caller has no such value.
 */
export function withActor(
  conditions: readonly Json[],
  actor: Pick<Actor, 'userId' | 'profile'>,
): { json: Json[]; isMissing: boolean } {
  let isMissing = false
  let isChanged = false
  const filled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(filled)
    if (!isOfActor(value)) return value
    isChanged = true
    const found = actorValue(value, actor)
    if (found === null) isMissing = true
    return found
  }
  const conditionOf = (condition: Json): Json => {
    if (!isObject(condition)) return condition
    const { filters, value } = condition
    if (Array.isArray(filters)) return { ...condition, filters: filters.map(conditionOf) }
    return value === undefined ? condition : { ...condition, value: filled(value) }
  }
  const json = conditions.map(conditionOf)
  return { json: isChanged ? json : (conditions as Json[]), isMissing }
}

/** Values of `set` for a caller; null where a value is missing: nothing may be written then. */
export function actorValues(
  set: JsonObject,
  actor: Pick<Actor, 'userId' | 'profile'>,
): JsonObject | null {
  const entries = Object.entries(set).map(([name, value]): [string, Json] => [
    name,
    isOfActor(value) ? actorValue(value, actor) : value,
  ])
  const isMissing = entries.some(([name, value]) => value === null && set[name] !== null)
  return isMissing ? null : Object.fromEntries(entries)
}

function actorValue(
  text: string,
  { userId, profile = {} }: Pick<Actor, 'userId' | 'profile'>,
): Json {
  if (text === ME) return userId
  const key = text.slice(PROFILE.length)
  return Object.hasOwn(profile, key) ? (profile[key] ?? null) : null
}
