import type { Entity } from '@/lib/definitions/definition'
import { isTextKind, isWholeKind } from '@/lib/kinds/kind'
import type { JsonObject } from '@/lib/values/json'

/** The key that an id names, where that is plain; otherwise null. */
export function simpleKey({ keys, properties }: Entity, id: string): JsonObject | null {
  const [only] = keys
  const kind = properties.find(({ name }) => name === only)?.kind
  if (only === undefined || kind === undefined || keys.length > 1) return null
  if (isTextKind(kind)) return { [only]: id }
  if (!isWholeKind(kind)) return null
  const number = Number(id)
  return Number.isSafeInteger(number) && String(number) === id ? { [only]: number } : null
}
