import { toLocal } from '@/components/ui/local-time'
import { instantOf } from '@/components/ui/time-text'
import { plainText } from '@/lib/values/exact-json'
import { type FilterField, isInTime, ME } from '../field'
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
