import { type Json, literalOf } from './json'
import { isJsonNumber } from './numeric-text'

/** Levels of objects and arrays that one field may nest. */
const MAX_DEPTH = 100

/** Whether PostgreSQL can store the text: no U+0000, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean =>
  !text.includes('\u0000') && text.isWellFormed()

/** The text with a replacement character for each that PostgreSQL can't store: for messages about them. */
export const toStorableText = (text: string): string =>
  isStorableText(text) ? text : text.replace(/\p{Surrogate}|\0/gu, '\uFFFD')

/**
 * Why PostgreSQL can't store `value`, as text, or null when it can. Checks the content of objects
 * and arrays too, keys included.
 */
export function whyNotStorable(value: Json, depth = 0): string | null {
  if (typeof value === 'string') return whyNotStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? null : OUT_OF_RANGE
  if (typeof value !== 'object' || value === null) return null
  if (depth >= MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
  if (Array.isArray(value)) return firstReason(value, depth)
  if (!Object.keys(value).every(isStorableText)) return UNSTORABLE_TEXT
  return firstReason(Object.values(value), depth)
}

function whyNotStorableText(text: string): string | null {
  const literal = literalOf(text)
  if (literal !== null) return isInRange(literal) ? null : OUT_OF_RANGE
  return isStorableText(text) ? null : UNSTORABLE_TEXT
}

// Clients read the response as doubles.
const isInRange = (literal: string) => isJsonNumber(literal) && Number.isFinite(Number(literal))

const OUT_OF_RANGE = 'is a number out of range'
const UNSTORABLE_TEXT =
  'holds text that the database cannot store (U+0000 or half of a surrogate pair)'

function firstReason(values: Json[], depth: number): string | null {
  for (const value of values) {
    const reason = whyNotStorable(value, depth + 1)
    if (reason) return reason
  }
  return null
}
