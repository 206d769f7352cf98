import { matchesFormat } from '@/lib/definitions/formats'
import { literalOf, stringifyExactly } from '@/lib/values/exact-numbers'
import { isObject, type Json } from '@/lib/values/json'
import { isJsonNumber } from '@/lib/values/numeric-text'
import { isTime, parseDate, parseDatetime } from '@/lib/values/parse-datetime'
import { type Cell, cellText, type SourceRow } from '../file/source'

/** More different values than this are not counted. */
const MAX_DISTINCT = 20_000
/** Longer values count as equal when they begin with the same ones. */
const MAX_CHARS = 64

/** What the values of one column have in common. */
export class ColumnFacts {
  types: readonly string[] = PROPOSED_TYPES
  filled = 0
  maxChars = 0
  /** No value came twice, as far as they are counted. */
  isUnique = true
  private distinct = new Set<string>()

  addCell(cell: Cell | undefined): void {
    if (cell === null || cell === undefined || cell === '') return
    this.types = fittingCell(cell, this.types)
    this.count(cellText(cell))
  }

  addJson(value: Json | undefined): void {
    if (value === null || value === undefined) return
    const digits = literalOf(value)
    this.types = digits === null ? fittingJson(value, this.types) : fittingCell(digits, this.types)
    this.count(digits ?? (typeof value === 'string' ? value : stringifyExactly(value)))
  }

  /** The narrowest type that all values fit; text where there are none. */
  type(): string {
    const found = this.filled === 0 ? undefined : this.types[0]
    return found ?? 'string'
  }

  /** The different values, if there are at most `most`. */
  values(most: number): string[] | null {
    return this.distinct.size <= most ? [...this.distinct].sort() : null
  }

  private count(text: string): void {
    this.filled++
    this.maxChars = Math.max(this.maxChars, text.length)
    if (this.distinct.has(text.slice(0, MAX_CHARS))) this.isUnique = false
    else if (this.distinct.size < MAX_DISTINCT) this.distinct.add(text.slice(0, MAX_CHARS))
    else this.isUnique = false
  }
}

/** Adds the values of a row; a row that can't be read says nothing. */
export function addRow(
  facts: readonly ColumnFacts[],
  columns: readonly string[],
  row: SourceRow,
): void {
  if (row.fault !== undefined) return
  if ('cells' in row) for (const [at, found] of facts.entries()) found.addCell(row.cells[at])
  else if (isObject(row.record)) {
    const { record } = row
    for (const [at, found] of facts.entries()) found.addJson(record[columns[at] as string])
  }
}

/** The types that a file can propose, the narrowest first. */
const PROPOSED_TYPES = [
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
function fittingCell(cell: Exclude<Cell, null>, types: readonly string[]): string[] {
  if (typeof cell === 'boolean') return types.filter((type) => type === 'boolean')
  const text = cellText(cell)
  return types.filter((type) => OF_TEXT[type]?.(text) ?? true)
}

/** Those of `types` that a value of JSON fits. */
function fittingJson(value: Json, types: readonly string[]): string[] {
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

const MAX_JSON_CHARS = 20_000

function parsed(text: string): unknown {
  if (text.length > MAX_JSON_CHARS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
