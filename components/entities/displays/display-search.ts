import type { Condition } from '@/components/data-table/filter/condition'
import type { ListParams } from '@/components/data-table/list-params'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { isJsonKind, isListKind } from '@/lib/kinds/kind'
import type { Search } from '@/lib/query/search-key'
import { matchQuery, pageSearch, shownAtFirst } from '../entity-search'
import { sortOf } from '../place-sort'
import { titleFields } from '../record-title'
import type { ColumnDescription } from '../types'
import { daysOf, monthOf, shiftDay } from './month'
import { dateField, displayOf, imageField, type PlaceFields, placeFields } from './supported'

/** Records that a calendar or a map asks for at most. */
export const MAX_SHOWN = 1000

/** Fields below the title of a card. */
const MAX_CARD_FIELDS = 3

/** The request for what is shown. */
export function displaySearch(
  columns: readonly ColumnDescription[],
  params: ListParams,
  related: readonly ColumnDescription[] = [],
): Search {
  const query = displayQuery(columns, params)
  switch (displayOf(columns, params)) {
    case 'table':
      return pageSearch(columns, params, related)
    case 'cards':
      return {
        ...pageSearch(columns, params, related),
        fields: fieldsOf(columns, cardFields(columns, params, related)),
      }
    case 'calendar': {
      const field = dateField(columns, params.by)?.name ?? ''
      return {
        fields: fieldsOf(columns, [field]),
        query,
        sort: [{ field, direction: 'asc' }],
        pagination: { page: 0, size: MAX_SHOWN },
        count: 'estimated',
      }
    }
    case 'map':
      return {
        fields: fieldsOf(columns, namesOf(placeFields(columns))),
        query,
        sort: sortOf(columns, params),
        pagination: { page: 0, size: MAX_SHOWN },
        count: 'estimated',
      }
  }
}

/** The conditions of what is shown: those of the filter, and what the form needs. */
export function displayQuery(
  columns: readonly ColumnDescription[],
  params: ListParams,
): Condition[] {
  const query = matchQuery(columns, params)
  switch (displayOf(columns, params)) {
    case 'calendar':
      return [...query, ...rangeOf(dateField(columns, params.by), params.month)]
    case 'map': {
      const names = namesOf(placeFields(columns))
      return [...query, ...names.map((field) => ({ field, operator: 'notnull' }))]
    }
    default:
      return query
  }
}

/** The days of a month's grid. Days of times are the reader's: a day more on both sides has them in every zone. */
function rangeOf(field: ColumnDescription | null, month?: string | null): Condition[] {
  if (!field) return []
  const days = daysOf(monthOf(month))
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const isTime = CONSOLE_KINDS[field.kind].moment === 'instant'
  const at = (day: string) => (isTime ? `${day}T00:00:00.000Z` : day)
  return [
    { field: field.name, operator: 'gte', value: at(isTime ? shiftDay(first, -1) : first) },
    { field: field.name, operator: 'lt', value: at(shiftDay(last, isTime ? 2 : 1)) },
  ]
}

const namesOf = (fields: PlaceFields | null): string[] => {
  if (!fields) return []
  return 'object' in fields ? [fields.object] : [fields.latitude, fields.longitude]
}

const fieldsOf = (columns: readonly ColumnDescription[], names: readonly string[]): string[] => {
  const keys = columns.filter(({ key }) => key).map(({ name }) => name)
  return [...new Set(['persistenceId', ...keys, ...titleFields(columns), ...names])]
}

/** The image and what stands below the title: the chosen columns, else the first ones. */
export function cardFields(
  columns: readonly ColumnDescription[],
  { cols }: ListParams,
  related: readonly ColumnDescription[],
): string[] {
  const image = imageField(columns)
  const known = new Map([...columns, ...related].map((column) => [column.name, column]))
  const names = (cols ?? shownAtFirst(columns)).filter((name) => {
    const kind = known.get(name)?.kind
    const isWords = kind !== undefined && (!isJsonKind(kind) || isListKind(kind))
    return isWords && name !== image
  })
  const titles = titleFields(columns)
  const below = names.filter((name) => name !== titles[0] && !known.get(name)?.key)
  return [...(image ? [image] : []), ...below.slice(0, MAX_CARD_FIELDS)]
}
