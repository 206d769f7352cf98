import type { Condition } from '@/components/data-table/filter/condition'
import { type ExactJson, parseExactJson } from '@/lib/values/exact-json'

/** Conditions that match exactly the records with these `persistenceId`s. */
export function queryOfIds(keys: readonly string[], ids: readonly string[]): Condition[] {
  const [only] = keys
  if (keys.length === 1 && only) {
    const [id] = ids
    return ids.length === 1
      ? [{ field: only, operator: 'eq', value: id }]
      : [{ field: only, operator: 'in', value: [...ids] }]
  }
  const filters = ids.map((id) => ({ operator: 'and' as const, filters: conditionsOf(id) }))
  return filters.length === 1 ? (filters[0]?.filters ?? []) : [{ operator: 'or', filters }]
}

/** Of a key with several parts: base64url of its JSON object. */
function conditionsOf(id: string): Condition[] {
  return Object.entries(decodeKey(id)).map(([field, value]) => ({ field, operator: 'eq', value }))
}

function decodeKey(id: string): Record<string, ExactJson> {
  const binary = atob(id.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return parseExactJson(new TextDecoder().decode(bytes)) as Record<string, ExactJson>
}
