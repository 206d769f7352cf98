import type { Condition } from '@/components/data-table/filter/condition'
import type { FieldReference } from '@/lib/definitions/definition'
import { isNumberKind, isTextKind } from '@/lib/kinds/kind'
import type { Search } from '@/lib/query/search-key'
import { plainText } from '@/lib/values/exact-json'
import { searchedFields } from './entity-search'
import { titleFields } from './record-title'
import type { ColumnDescription, EntityRecord } from './types'

/** All values that identify the record, that of the reference's own field first. */
export const idText = (record: EntityRecord, { field, with: further = {} }: FieldReference) =>
  [field, ...Object.values(further)].map((name) => plainText(record[name])).join(', ')

const SUGGESTIONS = 20

/** Records that `term` may mean, by the id, the names and the searched fields. Null while nothing can be searched. */
export function suggestionSearch(
  columns: readonly ColumnDescription[],
  reference: FieldReference,
  term: string,
): Search | null {
  const names = [reference.field, ...titleFields(columns), ...searchedFields(columns)]
  return searchBy(columns, reference, { names, term, operator: 'icontains' })
}

/** Records whose id or name is `term`, in any case. Null while nothing can be searched. */
export function exactSearch(
  columns: readonly ColumnDescription[],
  reference: FieldReference,
  term: string,
): Search | null {
  // The wildcard of patterns can't be escaped.
  const operator = term.includes('%') ? 'eq' : 'ilike'
  const names = [reference.field, ...titleFields(columns)]
  return searchBy(columns, reference, { names, term, operator })
}

type Wanted = { names: readonly string[]; term: string; operator: string }

function searchBy(
  columns: readonly ColumnDescription[],
  { field, with: further = {} }: FieldReference,
  { names, term, operator }: Wanted,
): Search | null {
  if (columns.length === 0) return null
  const conditions = [...new Set(names)]
    .map((name) => conditionOn(columns, name, { operator, term }))
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
  { operator, term }: Omit<Wanted, 'names'>,
): Condition | null {
  const kind = columns.find((column) => column.name === name)?.kind
  if (kind === undefined) return null
  if (isTextKind(kind)) return { field: name, operator, value: term }
  const isNumber = isNumberKind(kind) && !Number.isNaN(Number(term))
  return isNumber ? { field: name, operator: 'eq', value: term } : null
}
