import type { Json } from '@/lib/values/json'
import { parseInstant } from '@/lib/values/parse-datetime'
import { relativeTime } from '@/lib/values/relative-time'

/** In TypeScript, as MongoDB's export writes it. */
export const DATE_OBJECT = '{ $date: string | number }'

/**
 * The instant that a value of a condition means: relative times, ISO 8601, epoch milliseconds, also as text; restores a `+` of the
 * time zone that a URL made a space.
 */
export function meantInstant(value: Json): string | null {
  if (typeof value !== 'string') return parseInstant(value)
  const text = value.trim()
  if (text.startsWith('$')) return relativeTime(text)
  if (/^-?\d{9,15}$/.test(text)) return parseInstant(Number(text))
  return parseInstant(text.replace(/(:\d\d(?:\.\d+)?) (\d\d:?\d\d)$/, '$1+$2'))
}
