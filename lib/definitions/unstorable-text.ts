import { isObject, type Json } from '@/lib/values/json'
import { isStorableText } from '@/lib/values/storable'
import { type FileDetail, fault, toPointer } from './definition-faults'

const MAX_DEPTH = 64

/** A fault for each text in `json`, keys included, that PostgreSQL can't store, and for too deep nesting. */
export function unstorableText(json: Json, path: readonly PropertyKey[] = []): FileDetail[] {
  if (typeof json === 'string') return isStorableText(json) ? [] : [unstorable(path)]
  if (path.length > MAX_DEPTH) return [fault(toPointer(path), 'Is nested too deeply')]
  if (Array.isArray(json))
    return json.flatMap((item, index) => unstorableText(item, [...path, index]))
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([key, value]) =>
    isStorableText(key) ? unstorableText(value, [...path, key]) : [unstorable(path)],
  )
}

const unstorable = (path: readonly PropertyKey[]) =>
  fault(
    toPointer(path),
    'Contains a character that cannot be stored (U+0000 or half of a surrogate pair)',
  )
