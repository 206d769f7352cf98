import type { ImportColumn } from '@/lib/db/schema'
import type { Entity, Property } from '@/lib/definitions/definition'
import { jsonWithoutFormulas, withFormulas, withoutFormulas } from '@/lib/export/csv-formula'
import { compileEntity } from '@/lib/rows/compiled-entity'
import { stringifyExactly } from '@/lib/values/exact-numbers'
import { isNumericText } from '@/lib/values/numeric-text'
import type { Source, SourceRow } from '../file/source'
import { jsonOf } from './read-cell'
import { textsOf } from './record-maker'

/**
 * Returns a function that gives the cells of a row as cells of CSV: they are read as the same values, and a spreadsheet runs none of
 * them as a formula.
 */
export function harmlessTexts(
  entity: Entity,
  columns: readonly ImportColumn[],
  format: Source['format'],
): (row: SourceRow) => (string | null)[] {
  const { fields } = compileEntity(entity)
  const jsonColumns = columns.map(({ field }) => isJson(fields.get(field ?? '')?.property))
  const harmless = (text: string, at: number): string => {
    if (isNumericText(text)) return text
    const json = jsonColumns[at] ? jsonOf(text) : undefined
    if (json !== undefined) return jsonWithoutFormulas(stringifyExactly(json))
    return withoutFormulas(format === 'csv' ? withFormulas(text) : text)
  }
  return (row) => textsOf(row, columns).map((text, at) => text && harmless(text, at))
}

const isJson = (property: Property | undefined): boolean =>
  property?.kind === 'json' || property?.kind === 'object' || property?.kind === 'array'
