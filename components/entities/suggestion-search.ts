import type { Condition } from '@/components/data-table/filter/condition'
import { type FieldReference, isNumberKind } from '@/lib/definitions/definition'
import type { Search } from '@/lib/query/search-key'
import { plainText } from '@/lib/values/exact-json'
import { searchedFields } from './entity-search'
import { titleFields } from './record-title'
import type { ColumnDescription, EntityRecord } from './types'

const SUGGESTIONS = 20

/** Records that `term` may mean, by the id, the names and the searched fields. Null while nothing can be searched. */
export function suggestionSearch(
  columns: readonly ColumnDescription[],
  { field, with: further = {} }: FieldReference,
  term: string,
): Search | null {
  if (columns.length === 0) return null
  const conditions = [...new Set([field, ...titleFields(columns), ...searchedFields(columns)])]
    .map((name) => conditionOn(columns, name, term))
    .filter((condition) => condition !== null)
  if (term !== '' && conditions.length === 0) return null
  return {
    fields: [
      ...new Set(['persistenceId', field, ...Object.values(further), ...titleFields(columns)]),
    ],
    query: term === '' ? [] : [{ operator: 'or', filters: conditions }],
    pagination: { page: 0, size: SUGGESTIONS },
    count: 'none',
  }
}

/** Of records found for an earlier text, those that a longer one still finds: what is no match must not be chosen. */
export function stillMatching(
  records: readonly EntityRecord[],
  { field, with: further = {} }: FieldReference,
  { columns, term }: { columns: readonly ColumnDescription[]; term: string },
): EntityRecord[] {
  const names = [field, ...Object.values(further), ...titleFields(columns)]
  const wanted = term.toLowerCase()
  return records.filter((record) =>
    names.some((name) =>
      plainText(record[name] ?? '')
        .toLowerCase()
        .includes(wanted),
    ),
  )
}

function conditionOn(
  columns: readonly ColumnDescription[],
  name: string,
  term: string,
): Condition | null {
  const kind = columns.find((column) => column.name === name)?.kind
  if (kind === 'text') return { field: name, operator: 'icontains', value: term }
  const isNumber = kind !== undefined && isNumberKind(kind) && !Number.isNaN(Number(term))
  return isNumber ? { field: name, operator: 'eq', value: term } : null
}
