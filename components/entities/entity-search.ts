import type { Condition } from '@/components/data-table/filter/condition'
import { type ListParams, toQuery, toSearch } from '@/components/data-table/list-params'
import { MATCHES_TEXT } from '@/lib/definitions/text-search'
import { isTextKind } from '@/lib/kinds/kind'
import type { Search } from '@/lib/query/search-key'
import { parseTerms } from '@/lib/words/parse-terms'
import { sortOf } from './place-sort'
import type { ColumnDescription } from './types'

const MAX_SHOWN_AT_FIRST = 12

const placeOf = ({ display }: ColumnDescription) => display?.column ?? Number.MAX_VALUE

/** Those that the definition names for lists first, in its order. */
export const inOrder = (columns: readonly ColumnDescription[]): ColumnDescription[] =>
  [...columns].sort((a, b) => placeOf(a) - placeOf(b))

/** Those that the definition names for lists, else keys and the first declared fields; all of them can be chosen. */
export function shownAtFirst(columns: readonly ColumnDescription[]): string[] {
  const named = inOrder(columns).filter(({ display }) => display?.column !== undefined)
  if (named.length > 0) return named.map(({ name }) => name)
  const inLists = columns.filter(({ display }) => !display?.hidden)
  const visible = inLists.length > 0 ? inLists : columns
  const usual = visible.filter(({ hidden, declared }) => !hidden && declared)
  const shown = (usual.length > 0 ? usual : visible).slice(0, MAX_SHOWN_AT_FIRST)
  const keys = visible.filter((column) => column.key && !shown.includes(column))
  return [...keys, ...shown].map(({ name }) => name)
}

/** Those that the text search of the entity looks in. */
export const fieldsOfWords = (columns: readonly ColumnDescription[]): ColumnDescription[] =>
  columns.filter(({ rules }) => rules.textSearch)

/** What is typed as a text search; null where the entity has none, or it says nothing, as a lone quote does. */
function wordsOf(columns: readonly ColumnDescription[], q: string): string | null {
  if (fieldsOfWords(columns).length === 0 || 'fault' in parseTerms(q)) return null
  return q.trim()
}

/** Fields that hold what is typed as a part of them: those made for it, else the first texts. */
export function searchedFields(columns: readonly ColumnDescription[]): string[] {
  const texts = columns.filter(
    ({ kind, hidden, declared }) => isTextKind(kind) && !hidden && declared,
  )
  const made = texts.filter(({ rules }) => rules.searchable)
  return (made.length > 0 ? made : texts.slice(0, 3)).map(({ name }) => name)
}

/** The names of the columns that are shown, in order. */
export function shownNames(
  columns: readonly ColumnDescription[],
  { cols }: Pick<ListParams, 'cols'>,
): string[] {
  const known = new Set(columns.map(({ name }) => name))
  return (cols ?? shownAtFirst(columns)).filter((name) => known.has(name))
}

/**
 * The request for what the table shows: its columns alone, `related` those of other entities. Totals of large tables are
 * estimated.
 */
export function pageSearch(
  columns: readonly ColumnDescription[],
  params: ListParams,
  related: readonly ColumnDescription[] = [],
): Search {
  const all = [...columns, ...related]
  const fields = shownNames(all, params)
  const words = wordsOf(columns, params.q)
  const search = toSearch(
    { ...params, sort: sortOf(all, params) },
    {
      fields: ['persistenceId', ...fields.filter((name) => name !== 'persistenceId')],
      searchIn: words === null ? searchedFields(columns) : [],
    },
  )
  return { ...search, ...(words === null ? {} : { q: words }), count: 'estimated' }
}

/** The conditions of what the table shows. */
export function matchQuery(
  columns: readonly ColumnDescription[],
  params: Pick<ListParams, 'filter' | 'q'>,
): Condition[] {
  const words = wordsOf(columns, params.q)
  if (words === null) return toQuery(params, searchedFields(columns))
  return [...params.filter, { operator: MATCHES_TEXT, value: words }]
}
