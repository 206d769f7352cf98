import type { Condition } from '@/components/data-table/filter/condition'
import type { Search } from '@/lib/query/search-key'
import { plainText } from '@/lib/values/exact-json'
import { nameOf, titleFields } from './record-title'
import type { ColumnDescription, EntityRecord } from './types'

/** The most records of one request: as many as a page has, and the conditions of composite keys are limited too. */
export const batchSize = (fields: readonly string[]): number =>
  fields.length > 1 ? Math.floor(MAX_CONDITIONS / fields.length) : MAX_PAGE

const MAX_PAGE = 1000
/** A search may have 500; groups count. */
const MAX_CONDITIONS = 300

type Values = Record<string, string>

/** Finds the records that these values identify, with what names them alone. Null when none can exist. */
export function titlesSearch(
  columns: readonly ColumnDescription[],
  wanted: readonly Values[],
): Search | null {
  const fields = Object.keys(wanted[0] ?? {})
  const possible = wanted.filter((values) => fields.every((name) => fits(columns, name, values)))
  if (possible.length === 0 || fields.length === 0) return null
  return {
    fields: [...new Set([...fields, ...titleFields(columns)])],
    query: conditionsOf(fields, possible),
    pagination: { page: 0, size: possible.length },
    count: 'none',
  }
}

function conditionsOf(fields: readonly string[], wanted: readonly Values[]): Condition[] {
  const [only = ''] = fields
  if (fields.length === 1)
    return [{ field: only, operator: 'in', value: wanted.map((values) => values[only]) }]
  const filters = wanted.map((values) => ({
    operator: 'and' as const,
    filters: fields.map((field) => ({ field, operator: 'eq', value: values[field] })),
  }))
  return [{ operator: 'or', filters }]
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal'])

// One value that is no number would have the whole request refused.
function fits(columns: readonly ColumnDescription[], name: string, values: Values): boolean {
  const column = columns.find((each) => each.name === name)
  const text = values[name]?.trim() ?? ''
  return text !== '' && (!column || !NUMBERS.has(column.kind) || !Number.isNaN(Number(text)))
}

/** The names of found records, by the values of `fields`; null where a record has none but these. */
export function titlesByKey(
  records: readonly EntityRecord[],
  columns: readonly ColumnDescription[],
  fields: readonly string[],
): Map<string, string | null> {
  const entries = records.map((record): [string, string | null] => {
    const values = Object.fromEntries(fields.map((name) => [name, plainText(record[name])]))
    const name = nameOf(record, columns)
    const isNew = name !== null && !Object.values(values).includes(name)
    return [keyOfValues(values), isNew ? name : null]
  })
  return new Map(entries)
}

/** The same text for the same values, whatever the order of the fields. */
export const keyOfValues = (values: Values): string =>
  JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
