import { KINDS } from '@/lib/kinds/kinds'
import { isObject, type Json, literalOf, stringifyExactly } from '@/lib/values/json'
import { type Cell, cellText, type SourceRow } from '../file/source'

/** More different values than this are not counted. */
const MAX_DISTINCT = 20_000
/** Longer values count as equal when they begin with the same ones. */
const MAX_CHARS = 64

/** What the values of one column have in common. */
export class ColumnFacts {
  types: readonly string[] = [...PROPOSALS.keys()]
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

/** What a file can propose, the narrowest first: whether an import would read a text as a value, and the type of such values in JSON. */
const PROPOSALS = new Map(
  Object.values(KINDS).flatMap(({ proposals, schema, accepts }) =>
    proposals.map(({ type, fits }) => [type, { fits, accepts, json: schema.type }] as const),
  ),
)

/** Those of `types` that a cell fits. */
function fittingCell(cell: Exclude<Cell, null>, types: readonly string[]): string[] {
  if (typeof cell === 'boolean') return types.filter((type) => type === BOOLEAN)
  const text = cellText(cell)
  return types.filter((type) => PROPOSALS.get(type)?.fits(text))
}

const BOOLEAN = 'boolean'

/** Those of `types` that a value of JSON fits. */
function fittingJson(value: Json, types: readonly string[]): string[] {
  const own = typeOfJson(value)
  const isScalar = own === 'string' || own === 'number'
  return types.filter((type) => {
    const { fits, accepts, json } = PROPOSALS.get(type) ?? {}
    if (json === undefined) return true // any JSON
    const isOwn = json === own || (json === 'integer' && own === 'number')
    return isOwn && (isScalar ? fits?.(String(value)) : accepts?.(value, type))
  })
}

function typeOfJson(value: Json): string {
  if (Array.isArray(value)) return 'array'
  return typeof value
}
