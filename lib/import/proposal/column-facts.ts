import { literalOf, stringifyExactly } from '@/lib/values/exact-numbers'
import { isObject, type Json } from '@/lib/values/json'
import type { Cell, SourceRow } from '../file/source'
import { fittingCell, fittingJson, PROPOSED_TYPES, textOfCell } from './fitting-types'

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
    this.note(textOfCell(cell))
  }

  addJson(value: Json | undefined): void {
    if (value === null || value === undefined) return
    const digits = literalOf(value)
    this.types = digits === null ? fittingJson(value, this.types) : fittingCell(digits, this.types)
    this.note(digits ?? (typeof value === 'string' ? value : stringifyExactly(value)))
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

  private note(text: string): void {
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
