import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { nearest } from '@/lib/values/nearest'
import { shorten } from '@/lib/values/unknown-name'
import { type FileDetail, fault, toPointer } from './definition-faults'

/** Other systems' names of the engine's keys, where the spelling is too different to be guessed. */
const SYNONYMS: Readonly<Record<string, string>> = {
  primarykey: 'pks',
  primarykeys: 'pks',
  pk: 'pks',
  keys: 'pks',
  table: 'dbTable',
  tablename: 'dbTable',
  schema: 'engineSchema',
  audit: 'auditable',
  mandatory: 'required',
  defaultvalue: 'default',
  minimum: 'min',
  maximum: 'max',
  regex: 'pattern',
  regexp: 'pattern',
  ref: 'reference',
  foreignkey: 'reference',
  values: 'enum',
  options: 'enum',
  title: 'label',
  onduplicate: 'insertDuplicate',
  depends: 'dependencies',
  dependson: 'dependencies',
  requires: 'dependencies',
}

/** A warning for each of the `keys` whose text, or a text in whose list, has outer spaces, which are cut off. */
export const outerSpaces = (json: JsonObject, keys: readonly string[]): FileDetail[] =>
  keys.flatMap((key) => {
    const value = json[key]
    if (!Array.isArray(value)) return trimmed(value, key, [key])
    return value.flatMap((item, index) => trimmed(item, `${key}[${index}]`, [key, index]))
  })

function trimmed(text: Json | undefined, name: string, path: PropertyKey[]): FileDetail[] {
  if (typeof text !== 'string' || text === text.trim()) return []
  const message = `"${name}" is taken as ${JSON.stringify(shorten(text.trim()))}, without its outer spaces`
  return [fault(toPointer(path), message)]
}

/** Keys that tools add: `$schema`, `_id`, `x-order`. */
export const isPrivate = (key: string) => /^([$_]|x-)/.test(key)

/**
 * A warning for each key of `json` that is not `known` and so has no effect. `onlyNear`: only for
 * likely misspellings, where authors may keep keys of their own.
 */
export function unknownKeys(
  json: Json | undefined,
  pointer: string,
  known: Iterable<string>,
  { onlyNear = false } = {},
): FileDetail[] {
  if (!isObject(json)) return []
  const names = new Set(known)
  return Object.keys(json).flatMap((key) => {
    if (names.has(key) || isPrivate(key)) return []
    const synonym = SYNONYMS[key.toLowerCase()]
    const meant = synonym && names.has(synonym) ? synonym : nearest(key, names)
    if (onlyNear && meant === null) return []
    const hint = meant === null ? '' : `; did you mean "${meant}"?`
    const message = `Unknown key ${JSON.stringify(shorten(key))} is ignored${hint}`
    return [fault(pointer + toPointer([key]), message)]
  })
}
