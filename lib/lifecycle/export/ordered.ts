import type { Json, JsonObject } from '@/lib/values/json'

/** The same object with the keys `first` in this order, then the others as they are. */
export function ordered(value: object, first: readonly string[]): JsonObject {
  const source = value as JsonObject
  const known = first.filter((key) => Object.hasOwn(source, key))
  const others = Object.keys(source).filter((key) => !first.includes(key))
  return plain(Object.fromEntries([...known, ...others].map((key) => [key, source[key]])))
}

/** Without the keys that have no value. */
export const plain = (value: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
