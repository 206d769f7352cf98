import type { Json } from '@/lib/values/json'
import type { Condition, Policy, TaintActor } from './actor'
import { pathOf } from './conditions'
import { entityOf } from './world'

/** `$me` and `$me.profile.<key>` in conditions. */

const PROFILE = '$me.profile.'

/** The value that a word stands for; undefined where the caller has none. */
function ownValue(word: string, { userId, profile }: TaintActor): Json | undefined {
  if (word === '$me') return userId ?? undefined
  if (word.startsWith(PROFILE) && userId !== null) return profile[word.slice(PROFILE.length)]
  return undefined
}

/** The only relative time of the test. */
export const LONG_AGO = '$today(-100y)'
const longAgo = () => `${new Date().getUTCFullYear() - 100}${new Date().toISOString().slice(4, 10)}`

const isOwn = (value: unknown): value is string =>
  typeof value === 'string' && (value === '$me' || value.startsWith(PROFILE))

/** The conditions with the caller's values. */
export const withValues = (conditions: readonly Condition[], actor: TaintActor): Condition[] =>
  conditions.map((one) => {
    if ('filters' in one) return { ...one, filters: withValues(one.filters, actor) }
    if (one.value === LONG_AGO) return { ...one, value: longAgo() }
    return isOwn(one.value) ? { ...one, value: ownValue(one.value, actor) } : one
  })

/** Whether the conditions of a policy ask for a value that the caller lacks, or has of another type. */
export const isVoid = ({ where = [] }: Policy, entity: string, actor: TaintActor): boolean =>
  lacks(where, entity, actor)

export const lacks = (conditions: readonly Condition[], entity: string, actor: TaintActor) =>
  conditions.some((one): boolean => {
    if ('filters' in one) return lacks(one.filters, entity, actor)
    return isOwn(one.value) && !fits(ownValue(one.value, actor), entity, one.field)
  })

function fits(value: Json | undefined, entity: string, name: string): boolean {
  if (value === undefined || value === null || typeof value === 'object') return false
  return pathOf(entityOf(entity), name)?.kind !== 'number' || !Number.isNaN(Number(value))
}
