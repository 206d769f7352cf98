import type { Entity, Property } from '@/lib/definitions/definition'
import { withFormulas } from '@/lib/export/csv-formula'
import type { FieldKind } from '@/lib/kinds/field-kind'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { acceptsText } from '@/lib/rows/record-schema'
import { canonicalNumber } from '@/lib/values/canonical-number'
import { type Json, numberOf, parseJson } from '@/lib/values/json'
import { readLocation } from '@/lib/values/location'
import { isJsonNumber, isNumericText } from '@/lib/values/numeric-text'
import { type Cell, cellText, LongNumber } from '../file/source'

/** The value of a cell; undefined when the field is not given. What does not fit its field is left as text, which is then refused. */
export type ReadCell = (cell: Cell | undefined) => Json | undefined

type Options = {
  /** An empty cell of a field that has a default, or of a generated key, is as if its column was missing. */
  hasDefault: boolean
  /** Texts of CSV have apostrophes before what a spreadsheet would take for a formula. */
  isCsv: boolean
}

/** How the cells of a column are read for a field; without a property, for an undeclared one. */
export function cellReader(property: Property | null, { hasDefault, isCsv }: Options): ReadCell {
  const empty = hasDefault || property === null ? undefined : null
  const isText = property === null || isTextKind(property.kind)
  const isJson = property !== null && isJsonKind(property.kind)
  const read = property === null ? undeclared : READERS[KINDS[property.kind].readCell](property)
  return (cell) => {
    if (cell === null || cell === undefined) return empty
    if (cell === '') return isText ? '' : empty
    if (!isCsv || typeof cell !== 'string') return read(cell)
    if (!isJson) return read(withFormulas(cell))
    const value = read(cell)
    return value === cell ? withFormulas(cell) : value
  }
}

/** Whether a new record gets a value where none is given. */
export const hasDefault = ({ definition }: Entity, { name, rules }: Property): boolean =>
  rules.default !== undefined ||
  rules.generates !== undefined ||
  definition.keys.some(({ key, strategy }) => key === name && strategy !== 'Fixed')

type FilledCell = Exclude<Cell, null>
type Reader = (property: Property) => (cell: FilledCell) => Json

const undeclared = (cell: FilledCell): Json => {
  if (cell instanceof LongNumber) return numberOf(String(cell))
  return cell instanceof Date ? cellText(cell) : cell
}

const number: Reader = (property) => {
  const keepsDigits = acceptsText(property)
  return (cell) => {
    if (typeof cell === 'number') return cell
    if (typeof cell !== 'string' && !(cell instanceof LongNumber)) return cellText(cell)
    const digits = String(cell).trim()
    if (!isNumericText(digits)) return cellText(cell)
    const found = Number(digits)
    if (Number.isSafeInteger(found) && String(found) === digits) return found
    return keepsDigits ? digits : numberOf(isJsonNumber(digits) ? digits : canonicalNumber(digits))
  }
}

const TRUE = new Set(['true', '1', 'yes'])
const FALSE = new Set(['false', '0', 'no'])

const boolean: Reader = () => (cell) => {
  if (typeof cell === 'boolean') return cell
  const word = cellText(cell).trim().toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : cellText(cell)
}

const trimmed: Reader = () => (cell) => cellText(cell).trim()

const timeOfDay: Reader = () => (cell) =>
  cell instanceof Date && !Number.isNaN(cell.getTime())
    ? cell.toISOString().slice(11, 19)
    : cellText(cell).trim()

/** JSON text; other text is a text of a `json` field. */
const json: Reader = () => (cell) => {
  if (typeof cell !== 'string') return undeclared(cell)
  const found = jsonOf(cell)
  return found === undefined ? cell : found
}

/** Two numbers, or JSON. */
const location: Reader = (property) => (cell) =>
  (typeof cell === 'string' && readLocation(cell)) || json(property)(cell)

/** What a cell of a JSON field holds; undefined for text that is no JSON. */
export function jsonOf(cell: string): Json | undefined {
  try {
    return parseJson(cell, { exactly: true })
  } catch {
    return undefined
  }
}

const READERS: Record<FieldKind['readCell'], Reader> = {
  text: () => cellText,
  'trimmed text': trimmed,
  number,
  boolean,
  'time of day': timeOfDay,
  json,
  location,
}
