import { instantOf, toLocal } from '@/components/ui/time-text'
import { plainText } from '@/lib/values/exact-json'
import { type FilterField, isInTime, ME } from '../field'
import type { Arity } from '../operators'
import { isDay, parseTime, relativeWords } from '../time-words'

/** A value as people type it: `7 days ago` for `$now(-7d)`, `me` for `$me`, an instant in the reader's zone. */
export function textOf(value: unknown, field: FilterField): string {
  if (value === undefined || value === null) return ''
  const text = plainText(value)
  if (field.user && text === ME) return 'me'
  if (!isInTime(field.kind)) return text
  const words = relativeWords(text, field.kind)
  if (words) return words
  return !isDay(field.kind) && instantOf(text) ? localText(text) : text
}

/** The value that a typed text means in a field; what means nothing stays as it is. */
export function meantValue(text: string, field: FilterField, email = ''): string {
  if (field.user && text.trim().toLowerCase() === 'me') return field.user === 'id' ? ME : email
  return isInTime(field.kind) ? (parseTime(text, field.kind) ?? text) : text
}

/** `2026-01-31 10:00`, with seconds where there are some. */
export const localText = (instant: string): string =>
  toLocal(instant).replace('T', ' ').replace(/:00$/, '')

/** A value that suits an operator, keeping what was typed for another one where that makes sense. */
export function adaptValue(value: unknown, arity: Arity): unknown {
  if (arity === 'none') return undefined
  if (arity === 'list') return asList(value)
  if (arity === 'two') return asPair(value)
  if (arity === 'place') return asNumbers(value, 0)
  return Array.isArray(value) ? value[0] : value
}

export const asList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]).map(plainText)

export const asPair = (value: unknown): [unknown, unknown] =>
  Array.isArray(value) ? [value[0] ?? '', value[1] ?? ''] : [value ?? '', '']

/** A list of numbers, as they are typed; empty ones up to `count`. */
export const asNumbers = (value: unknown, count: number): unknown[] => {
  const list: unknown[] = Array.isArray(value) ? value : []
  return [...list, ...Array(Math.max(0, count - list.length)).fill('')]
}

/** What the control of one value gets. `label` names it: `Value`, or `From` and `To` of a range. */
export type InputProps = {
  field: FilterField
  label: string
  value: unknown
  onChange: (value: unknown) => void
  /** The value does not fit; the text with this id says why. */
  faultId?: string
}

/** What ties a control to the text that says why its value does not fit. */
export const faultProps = (faultId?: string) =>
  faultId ? { 'aria-invalid': true, 'aria-describedby': faultId } : {}
