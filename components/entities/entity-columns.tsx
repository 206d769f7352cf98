import type { Column } from '@/components/data-table/column'
import { fieldLabel } from '@/components/data-table/field-label'
import type { Kind } from '@/lib/definitions/definition'
import { plainText } from '@/lib/values/exact-json'
import { CellValue } from './cell-value'
import { shownAtFirst } from './entity-search'
import { fieldHint } from './field-hint'
import type { ColumnDescription, EntityRecord } from './types'

const WIDTHS: Record<Kind, number> = {
  text: 200,
  integer: 112,
  float: 120,
  decimal: 128,
  boolean: 104,
  date: 120,
  datetime: 212,
  time: 112,
  json: 240,
  object: 240,
  array: 240,
}

const NUMBERS: ReadonlySet<Kind> = new Set(['integer', 'float', 'decimal'])

/**
 * Table columns of an entity's fields; those beyond the first dozen wait to be chosen. `places`: of `decimalPlaces`,
 * for the points of numbers to stand below each other.
 */
export function toTableColumns(
  columns: readonly ColumnDescription[],
  places: Readonly<Record<string, number>> = {},
): Column<EntityRecord>[] {
  const first = new Set(shownAtFirst(columns))
  return columns.map((column) => ({
    id: column.name,
    header: fieldLabel(column),
    hint: fieldHint(column),
    width: widthOf(column),
    // A key names the record, and a reference another one: they stand where names stand.
    align: NUMBERS.has(column.kind) && !column.key && !column.rules.reference ? 'end' : 'start',
    hidden: !first.has(column.name),
    text: (record) => plainText(record[column.name] ?? null),
    cell: (record) => (
      <CellValue
        value={record[column.name]}
        column={column}
        record={record}
        places={places[column.name]}
      />
    ),
  }))
}

const SHORT_TEXT = 12

function widthOf({ kind, type, rules, key }: ColumnDescription): number {
  if (type === 'uuid' || rules.format === 'uuid') return 280
  if (rules.reference) return WIDTHS.text
  const isShort = (rules.maxLength ?? rules.length ?? SHORT_TEXT + 1) <= SHORT_TEXT
  if (key && kind === 'integer') return 88
  if (kind === 'text' && (isShort || rules.enum || key)) return 128
  return WIDTHS[kind]
}
