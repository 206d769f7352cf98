import { matchesFormat } from '@/lib/definitions/formats'
import { isObject, type Json } from '@/lib/values/json'
import { isJsonNumber } from '@/lib/values/numeric-text'
import { isTime, parseDate, parseDatetime } from '@/lib/values/parse-datetime'
import type { Cell } from '../file/source'

/** The types that a file can propose, the narrowest first. */
export const PROPOSED_TYPES = [
  ...['boolean', 'integer', 'decimal', 'number', 'date', 'datetime', 'time'],
  ...['uuid', 'email', 'url', 'object', 'array', 'string', 'json'],
] as const

type Fits = (value: string) => boolean

/** Whether an import would read the text of a cell as a value of the type. */
const OF_TEXT: Record<string, Fits> = {
  boolean: (text) => /^(true|false|yes|no)$/i.test(text),
  // Texts such as 00123 are codes, which a number would alter.
  integer: (text) => /^-?(0|[1-9]\d{0,14})$/.test(text),
  decimal: (text) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && isJsonNumber(text),
  number: isJsonNumber,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && parseDate(text) !== null,
  datetime: (text) => /^\d{4}-\d\d-\d\d/.test(text) && parseDatetime(text) !== null,
  time: (text) => isTime(text),
  uuid: (text) => matchesFormat(text, 'uuid'),
  email: (text) => matchesFormat(text, 'email'),
  url: (text) => /^https?:/i.test(text) && matchesFormat(text, 'url'),
  object: (text) => text.startsWith('{') && isObject(parsed(text)),
  array: (text) => text.startsWith('[') && Array.isArray(parsed(text)),
  json: (text) => /^[[{]/.test(text) && parsed(text) !== undefined,
}

/** The same for texts of JSON, which are no numbers. */
const OF_JSON_TEXT = ['date', 'datetime', 'time', 'uuid', 'email', 'url', 'string']

/** Those of `types` that a cell fits. */
export function fittingCell(cell: Exclude<Cell, null>, types: readonly string[]): string[] {
  if (typeof cell === 'boolean') return types.filter((type) => type === 'boolean')
  const text = textOfCell(cell)
  return types.filter((type) => OF_TEXT[type]?.(text) ?? true)
}

/** Those of `types` that a value of JSON fits. */
export function fittingJson(value: Json, types: readonly string[]): string[] {
  const own = typesOfJson(value)
  return types.filter((type) => own.includes(type))
}

function typesOfJson(value: Json): readonly string[] {
  if (typeof value === 'boolean') return ['boolean', 'json']
  if (typeof value === 'number') {
    const text = String(value)
    return ['integer', 'decimal', 'number'].filter((type) => OF_TEXT[type]?.(text)).concat('json')
  }
  if (Array.isArray(value)) return ['array', 'json']
  if (typeof value !== 'string') return ['object', 'json']
  return OF_JSON_TEXT.filter((type) => OF_TEXT[type]?.(value) ?? true).concat('json')
}

/** Days have no time of day in spreadsheets. */
export function textOfCell(cell: Exclude<Cell, null>): string {
  if (!(cell instanceof Date)) return String(cell)
  if (Number.isNaN(cell.getTime())) return 'an invalid date'
  const iso = cell.toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso
}

const MAX_JSON_CHARS = 20_000

function parsed(text: string): unknown {
  if (text.length > MAX_JSON_CHARS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
