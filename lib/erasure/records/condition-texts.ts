import { type Json, literalOf } from '@/lib/values/json'

/** Shorter ones stand in too much else. */
const MIN_TEXT = 3

/** The texts and digits of numbers among values of conditions, without names of fields and operators. */
export function textsIn(value: Json | readonly Json[]): string[] {
  if (typeof value === 'number') return textsIn(String(value))
  if (typeof value === 'string') return value.length >= MIN_TEXT ? [literalOf(value) ?? value] : []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (value === null || typeof value !== 'object') return []
  const { field: _, operator: __, ...rest } = value as Record<string, Json>
  return Object.values(rest).flatMap(textsIn)
}
