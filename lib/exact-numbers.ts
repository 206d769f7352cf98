import type { Json } from './json'

// Half of a surrogate pair: no text that is stored or searched for can begin so.
const MARK = '\ud800#'
const MARK_ESCAPED = /"\\ud800#(-?\d[\d.eE+-]*)"/g
const FORGED = /\\ud800#/gi

/** A stretch `[from, to)` of a text. */
export type Span = readonly [from: number, to: number]

/**
 * The JSON text with the numbers at `spans` as marked text, which `JSON.parse` can't round. A mark that
 * somebody wrote is broken, and stays text that can't be stored.
 */
export function markNumbers(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let done = 0
  const take = (to: number) => parts.push(text.slice(done, to).replace(FORGED, '\\ud800\\ufffd#'))
  for (const [from, to] of spans) {
    take(from)
    parts.push(`"\\ud800#${text.slice(from, to)}"`)
    done = to
  }
  take(text.length)
  return parts.join('')
}

/** The digits of a marked number as they were sent; null for every other value. */
export const literalOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : null

/** JSON text in which marked numbers are numbers again, with all their digits. */
export function stringifyExactly(value: Json): string {
  const text = JSON.stringify(value)
  return text.includes('"\\ud800#') ? text.replace(MARK_ESCAPED, '$1') : text
}
