import { isObject, type JsonObject } from '@/lib/values/json'
import type { ResourceSchema } from './attributes'
import type { Resource, ResourceQuery } from './contract'
import { resolvePath } from './values/resolve-path'

/** Names of attributes that a request asks for, or leaves out; null: all that are returned by default. */
type Selection = { keeps: readonly string[][] | null; leaves: readonly string[][] }

/** Unknown names ask for nothing. `meta.version` is `['meta', 'version']`; the URN of an extension comes first. */
export function readSelection(query: ResourceQuery, schema: ResourceSchema): Selection {
  const { attributes, excludedAttributes } = query
  const placesOf = (list: string) =>
    [...new Set(list.split(',').map((name) => name.trim().toLowerCase()))].flatMap((text) => {
      const urn = Object.keys(schema.extensions).find((known) => known.toLowerCase() === text)
      if (urn) return [[urn]]
      const place = resolvePath(text, schema)
      if (!place) return []
      const { attribute, sub } = place
      const path = [...(place.urn ? [place.urn] : []), attribute.name, ...(sub ? [sub.name] : [])]
      return [path]
    })
  return {
    keeps: attributes ? placesOf(attributes) : null,
    leaves: placesOf(excludedAttributes ?? ''),
  }
}

/** Whether an attribute is to be read at all. */
export const isSelected = ({ keeps, leaves }: Selection, name: string): boolean =>
  keeps
    ? keeps.some(([first]) => first === name)
    : !leaves.some((path) => path.length === 1 && path[0] === name)

/** What is always returned, whatever is asked for. */
const ALWAYS = new Set(['schemas', 'id'])

export function project(resource: Resource, { keeps, leaves }: Selection): Resource {
  const whole = resource as unknown as JsonObject
  if (keeps) {
    const kept = keeps.reduce<JsonObject>((sum, path) => keep(sum, whole, path), {})
    const always = Object.entries(whole).filter(([name]) => ALWAYS.has(name))
    return { ...Object.fromEntries(always), ...kept } as Resource
  }
  return leaves
    .filter(([name = '']) => !ALWAYS.has(name))
    .reduce<JsonObject>(leave, whole) as unknown as Resource
}

function keep(
  into: JsonObject,
  from: JsonObject,
  [name = '', ...rest]: readonly string[],
): JsonObject {
  const value = from[name]
  if (value === undefined) return into
  if (rest.length === 0) return { ...into, [name]: value }
  const before = into[name]
  if (Array.isArray(value)) {
    const parts = value.map((item, at) =>
      keep(partAt(before, at), isObject(item) ? item : {}, rest),
    )
    return { ...into, [name]: parts }
  }
  if (!isObject(value)) return into
  return { ...into, [name]: keep(isObject(before) ? before : {}, value, rest) }
}

function partAt(list: unknown, at: number): JsonObject {
  const item = Array.isArray(list) ? (list[at] as unknown) : undefined
  return isObject(item) ? item : {}
}

function leave(from: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const { [name]: value, ...others } = from
  if (value === undefined || rest.length === 0) return others
  const without = (item: unknown) => (isObject(item) ? leave(item, rest) : (item as never))
  return { ...from, [name]: Array.isArray(value) ? value.map(without) : without(value) }
}
