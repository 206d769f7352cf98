import type { ImportColumn, ImportRow } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { isWholeKind } from '@/lib/kinds/kind'
import { compileEntity } from '@/lib/rows/compiled-entity'
import { acceptsText } from '@/lib/rows/record-schema'
import {
  isObject,
  type Json,
  type JsonObject,
  literalOf,
  stringifyExactly,
} from '@/lib/values/json'
import { type Cell, LongNumber, type Source, type SourceRow } from '../file/source'
import { cellReader, hasDefault } from './read-cell'

type Options = {
  mode: ImportRow['mode']
  /** Names beyond those of the first records are left out, too. */
  ignoresUnknown: boolean
  format: Source['format']
}

/** Returns a function that makes a record of a row. */
export function recordMaker(
  entity: Entity,
  columns: readonly ImportColumn[],
  options: Options,
): (row: SourceRow) => Json {
  const fromCells = tableReader(entity, columns, options)
  const fromRecord = renamer(columns, options)
  return (row) => ('cells' in row ? fromCells(row.cells) : fromRecord(row.record))
}

function tableReader(entity: Entity, columns: readonly ImportColumn[], options: Options) {
  const { mode, format } = options
  const { fields } = compileEntity(entity)
  const readers = columns.flatMap(({ field }, at) => {
    if (field === null) return []
    const property = fields.get(field)?.property ?? null
    const isDefaulted = mode !== 'update' && property !== null && hasDefault(entity, property)
    const read = cellReader(property, { hasDefault: isDefaulted, isCsv: format === 'csv' })
    return [{ at, field, read }]
  })
  return (cells: readonly Cell[]): JsonObject => {
    const record: JsonObject = {}
    for (const { at, field, read } of readers) {
      const value = read(cells[at])
      if (value !== undefined) put(record, field, value)
    }
    return record
  }
}

/** Values of JSON are taken as they are. */
function renamer(columns: readonly ImportColumn[], { ignoresUnknown }: Options) {
  const fields = new Map(columns.map(({ column, field }) => [column, field]))
  return (input: Json): Json => {
    if (!isObject(input)) return input
    const record: JsonObject = {}
    for (const name of Object.keys(input)) {
      const field = fields.get(name)
      if (field === null || (field === undefined && ignoresUnknown)) continue
      put(record, field ?? name, input[name] ?? null)
    }
    return record
  }
}

function put(record: JsonObject, name: string, value: Json): void {
  if (name !== '__proto__') record[name] = value
  else
    Object.defineProperty(record, name, {
      ...{ value, enumerable: true, writable: true, configurable: true },
    })
}

/** The cells of a row as text, for a file to correct: null is empty. */
export function textsOf(row: SourceRow, columns: readonly ImportColumn[]): (string | null)[] {
  if ('cells' in row) {
    const all = columns.map((_, at) => row.cells[at] ?? null)
    return [...all, ...row.cells.slice(columns.length)].map(cellText)
  }
  const { record, text } = row
  if (!isObject(record)) return [text ?? stringifyExactly(record)]
  return columns.map(({ column }) => jsonText(record[column]))
}

const cellText = (cell: Cell): string | null =>
  cell === null || typeof cell === 'string'
    ? cell
    : cell instanceof Date && !Number.isNaN(cell.getTime())
      ? cell.toISOString()
      : String(cell)

function jsonText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') return stringifyExactly(value)
  return literalOf(value) ?? value
}

const MAX_SAMPLES = 3
const MAX_CHARS = 80

/** The first different values of each column, as they are in the file but for their length. */
export function samplesOf(
  rows: readonly SourceRow[],
  columns: readonly ImportColumn[],
): string[][] {
  const samples = columns.map(() => new Set<string>())
  for (const row of rows)
    for (const [at, text] of textsOf(row, columns).entries()) {
      const found = samples[at]
      if (found && text && found.size < MAX_SAMPLES) found.add(shortened(text))
    }
  return samples.map((found) => [...found])
}

const shortened = (text: string) =>
  text.length > MAX_CHARS ? `${[...text.slice(0, MAX_CHARS)].slice(0, -1).join('')}…` : text

/** Returns a function that says why a row can't be read as a record; undefined where it can. */
export function rowFaults(
  entity: Entity,
  columns: readonly ImportColumn[],
): (row: SourceRow) => string | undefined {
  const { fields } = compileEntity(entity)
  const whole = columns.flatMap(({ field }, at) => {
    const property = field === null ? undefined : fields.get(field)?.property
    return property && isWholeKind(property.kind) && acceptsText(property) ? [{ field, at }] : []
  })
  return (row) => {
    if (row.fault !== undefined || !('cells' in row)) return row.fault
    const inexact = whole.find(({ at }) => isInexact(row.cells[at]))
    return inexact && `${inexact.field} ${row.cells[inexact.at]} ${INEXACT}`
  }
}

/** A number that the file may have rounded, as numbers of workbooks are doubles. */
const isInexact = (cell: unknown): boolean =>
  cell instanceof LongNumber ||
  (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER)

const INEXACT =
  'is beyond 2^53, where the numbers of a workbook (doubles) are not exact; make the cell a text'
