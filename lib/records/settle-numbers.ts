import { canonicalNumber } from '@/lib/values/canonical-number'
import { literalOf } from '@/lib/values/exact-numbers'
import type { Json, JsonObject } from '@/lib/values/json'
import type { CompiledEntity, Field } from './compiled-entity'
import { acceptsText } from './record-schema'

/**
 * Gives marked numbers (see `literalOf`) the form of their field: the digits as text where
 * none may be lost, otherwise a double. In JSON and in undeclared fields they stay marked.
 */
export function settleNumbers(record: JsonObject, { fields }: CompiledEntity): JsonObject {
  let settled = record
  for (const name of Object.keys(record)) {
    const literal = literalOf(record[name])
    const field = literal === null ? undefined : fields.get(name)
    if (literal === null || !field || field.property.kind === 'json') continue
    if (settled === record) settled = { ...record }
    settled[name] = settle(literal, field)
  }
  return settled
}

function settle(literal: string, { property }: Field): Json {
  if (!acceptsText(property)) return Number(literal)
  const exponent = /[eE](.*)/.exec(literal)?.[1]
  const isShort = literal.length <= 400 && Math.abs(Number(exponent ?? 0)) <= 400
  // A whole number may be sent as `1e3` or `1.0`.
  const isRespelt = exponent !== undefined || property.kind === 'integer'
  return isRespelt && isShort ? canonicalNumber(literal) : literal
}
