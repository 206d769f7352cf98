import { AppError } from '@/lib/errors'
import type { Json } from '@/lib/values/json'
import { parsedOnce } from '@/lib/values/parsed-once'
import type { SearchBody, SearchQuery } from './contract'
import { parseExpandText } from './parse-expand-text'
import { parseFieldsText, parseFilterText, parseSortText } from './parse-search-text'
import type { CountMode, ExpandInput, SearchInput, SortInput } from './search-input'

type Selection = { query?: unknown[]; filters?: unknown[] }
export type ConditionsInput = Pick<SearchInput, 'conditions' | 'conditionsName'>

/** The search of a body. Throws `invalid_input` for options that exclude each other. */
export function inputOfBody(body: SearchBody): SearchInput {
  const { fields, expand, sort, pagination, count, groupBy, q, corrections } = body
  return {
    ...conditionsOfBody(body),
    q,
    corrections,
    fields,
    expand: expand.map(expandOfBody),
    sort: sortOfBody(sort),
    ...placeOf(pagination, count, 'pagination.'),
    groupBy,
  }
}

function expandOfBody(input: SearchBody['expand'][number]): string | ExpandInput {
  if (typeof input === 'string') return input
  const { query, sort, ...rest } = input
  return { ...rest, query: query as Json[], sort: sortOfBody(sort) }
}

export const sortOfBody = (sort: SearchBody['sort']): SortInput[] =>
  sort.map(({ field, direction }) => ({ field, direction: DIRECTIONS[direction] }))

const DIRECTIONS: Record<1 | -1 | 'asc' | 'desc', SortInput['direction']> = {
  1: 'asc',
  [-1]: 'desc',
  asc: 'asc',
  desc: 'desc',
}

/** The conditions of a body; an empty list if there are none. Throws as `inputOfBody` does. */
export function conditionsOfBody({ query, filters }: Selection): ConditionsInput {
  if (query && filters) throw refused('filters', 'Is an alias of "query"; give one of the two')
  // A body is parsed JSON, so its parts are too.
  const conditions = (query ?? filters ?? []) as Json[]
  return { conditions, conditionsName: filters ? 'filters' : 'query' }
}

/** The search of a URL. Throws `invalid_input` with the position of a fault. */
export function inputOfQuery(query: SearchQuery): SearchInput {
  const { page, size, count, cursor } = placeOf(query, query.count, '')
  const { conditions, conditionsName } = conditionsOfFilter(query.filter)
  const { q, corrections } = query
  const fields = fieldsOf(query.fields)
  const expand = expansionsOf(query.expand)
  const sort = sortsOf(query.sort)
  // Not of spread parts, which take longer.
  return {
    conditions,
    conditionsName,
    q,
    corrections,
    fields,
    expand,
    sort,
    page,
    size,
    count,
    cursor,
  }
}

const fieldsOf = parsedOnce((text) => parseFieldsText(text))
const expansionsOf = parsedOnce(parseExpandText)
const sortsOf = parsedOnce(parseSortText)

type Paging = { page?: number; size: number; cursor?: string }

/** Counting at each step of a walk would cost the time that the cursor saves. */
function placeOf(
  { page, size, cursor }: Paging,
  count: CountMode | undefined,
  prefix: string,
): Pick<SearchInput, 'page' | 'size' | 'count' | 'cursor'> {
  if (cursor === undefined)
    return { page: page ?? 0, size, count: count ?? 'exact', cursor: undefined }
  if (page !== undefined)
    throw refused(`${prefix}page`, 'A cursor already has its position; give one of the two')
  return { page: 0, size, count: count ?? 'none', cursor: { cursor, name: `${prefix}cursor` } }
}

const refused = (field: string, error: string) =>
  new AppError('invalid_input', `${field}: ${error}`, { validations: [{ field, error }] })

export const conditionsOfFilter = (filter: string): ConditionsInput => ({
  conditions: parseFilterText(filter),
  conditionsName: 'filter',
})

/** Throws `invalid_input` when a body names another entity than the address. */
export function requireSameEntity(inBody: string | undefined, inPath: string): void {
  if (inBody === undefined || inBody === inPath) return
  const error = `must be ${JSON.stringify(inPath)}, as in the address`
  throw new AppError('invalid_input', `entity: ${error}`, {
    validations: [{ field: 'entity', error }],
  })
}
