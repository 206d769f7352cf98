import type { SearchBody, SearchQuery } from '@/lib/entities/contract'
import { AppError } from '@/lib/errors'
import type { Json } from '@/lib/json'
import { parseFilterText } from './parse-filter-text'
import { parseFieldsText, parseSortText } from './parse-names-text'
import type { SearchInput, SortInput } from './search-input'

type Selection = { query?: unknown[]; filters?: unknown[] }
export type ConditionsInput = Pick<SearchInput, 'conditions' | 'conditionsName'>

/** The search of a body. Throws `invalid_input` when it has both `query` and `filters`. */
export function inputOfBody(body: SearchBody): SearchInput {
  const { fields, sort, pagination, count, groupBy } = body
  const { page, size } = pagination
  return {
    ...conditionsOfBody(body),
    fields,
    sort: sort.map(({ field, direction }) => ({ field, direction: DIRECTIONS[direction] })),
    page,
    size,
    count,
    groupBy,
  }
}

const DIRECTIONS: Record<1 | -1 | 'asc' | 'desc', SortInput['direction']> = {
  1: 'asc',
  [-1]: 'desc',
  asc: 'asc',
  desc: 'desc',
}

/** The conditions of a body; none is an empty list. Throws as `inputOfBody` does. */
export function conditionsOfBody({ query, filters }: Selection): ConditionsInput {
  if (query && filters) {
    const error = 'Another name of "query"; give one of the two'
    throw new AppError('invalid_input', `filters: ${error}`, {
      validations: [{ field: 'filters', error }],
    })
  }
  // A body is parsed JSON, so its parts are too.
  const conditions = (query ?? filters ?? []) as Json[]
  return { conditions, conditionsName: filters ? 'filters' : 'query' }
}

/** The search of a URL. Throws `invalid_input` with the position of what can't be read. */
export function inputOfQuery({
  page,
  size,
  sort,
  filter,
  fields,
  count,
}: SearchQuery): SearchInput {
  return {
    ...conditionsOfFilter(filter),
    fields: parseFieldsText(fields),
    sort: parseSortText(sort),
    page,
    size,
    count,
  }
}

export const conditionsOfFilter = (filter: string): ConditionsInput => ({
  conditions: parseFilterText(filter),
  conditionsName: 'filter',
})
