import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'

/** A value as the author gave it, as it is here, and as the next version has it; undefined: it is not there. */
export type Sides = { base: Json | undefined; ours: Json | undefined; theirs: Json | undefined }

/** What both sides changed, at a place in words such as `price.maxLength`. */
export type Disputed = { field: string; base: Json; ours: Json; theirs: Json }

/** `list`: what tells the items of a list apart; null: it is one value. */
export type Merging = {
  side: 'keep' | 'take'
  disputed: Disputed[]
  list: (path: readonly string[], items: readonly Json[]) => ((item: Json) => string) | null
  place: (path: readonly string[]) => string
}

/**
 * Merges a value of a definition: what only one side changed is taken from that side, part by part, and `side` decides
 * about what both changed. Adds that to `disputed`. Pure but for it.
 */
export function mergeJson(
  sides: Sides,
  path: readonly string[],
  merging: Merging,
): Json | undefined {
  const { base, ours, theirs } = sides
  if (same(ours, theirs) || same(theirs, base)) return ours
  if (same(ours, base)) return theirs
  if (isObject(ours) && isObject(theirs))
    return mergeObjects(isObject(base) ? base : {}, ours, theirs, path, merging)
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const former = Array.isArray(base) ? base : []
    const nameOf = merging.list(path, [...former, ...ours, ...theirs])
    if (nameOf) return mergeLists(former, ours, theirs, nameOf, path, merging)
    if ([former, ours, theirs].every(isSet)) return mergeSets(former, ours, theirs)
  }
  const field = merging.place(path)
  merging.disputed.push({ field, base: base ?? null, ours: ours ?? null, theirs: theirs ?? null })
  return merging.side === 'take' ? theirs : ours
}

export const same = (a: Json | undefined, b: Json | undefined) => isDeepStrictEqual(a, b)

/** The keys of the next version, then those that are only here. */
function mergeObjects(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  path: readonly string[],
  merging: Merging,
): JsonObject {
  const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  const merged = [...keys].flatMap((key): [string, Json][] => {
    const sides = { base: own(base, key), ours: own(ours, key), theirs: own(theirs, key) }
    const value = mergeJson(sides, [...path, key], merging)
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(merged)
}

const own = (value: JsonObject, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined)

const isSet = (items: readonly Json[]) =>
  items.every((item) => item === null || typeof item !== 'object')

/** Values of which each side may have added or removed some. */
function mergeSets(base: readonly Json[], ours: readonly Json[], theirs: readonly Json[]): Json[] {
  const stays = (item: Json) => !base.includes(item)
  const kept = theirs.filter((item) => ours.includes(item) || stays(item))
  const added = ours.filter((item) => stays(item) && !theirs.includes(item))
  return [...kept, ...added]
}

type Named = Map<string, Json>

function mergeLists(
  base: readonly Json[],
  ours: readonly Json[],
  theirs: readonly Json[],
  nameOf: (item: Json) => string,
  path: readonly string[],
  merging: Merging,
): Json[] {
  const named = (items: readonly Json[]): Named =>
    new Map(items.map((item) => [nameOf(item), item]))
  const [former, here, next] = [named(base), named(ours), named(theirs)]
  const shared = (all: Named) =>
    [...all.keys()].filter((name) => former.has(name) && here.has(name) && next.has(name))
  // The order of the side that changed it, which is that of the next version if both did.
  const isAsBefore = same(shared(next), shared(former))
  const order = isAsBefore ? inserted(here, next) : inserted(next, here)
  return order.flatMap((name) => {
    const sides = { base: former.get(name), ours: here.get(name), theirs: next.get(name) }
    return mergeJson(sides, [...path, name], merging) ?? []
  })
}

/** The names of the first list, with those of the other one after those that they follow there. */
function inserted(first: Named, other: Named): string[] {
  const order = [...first.keys()]
  let previous: string | undefined
  for (const name of other.keys()) {
    if (!first.has(name))
      order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, name)
    previous = name
  }
  return order
}
