import { plainText } from '@/lib/values/exact-json'
import type { Arity } from '../operators'

/** A value that suits an operator, keeping what was typed for another one where that makes sense. */
export function adaptValue(value: unknown, arity: Arity): unknown {
  if (arity === 'none') return undefined
  if (arity === 'list') return asList(value)
  if (arity === 'two') return asPair(value)
  return Array.isArray(value) ? value[0] : value
}

export const asList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]).map(plainText)

export const asPair = (value: unknown): [unknown, unknown] =>
  Array.isArray(value) ? [value[0] ?? '', value[1] ?? ''] : [value ?? '', '']
