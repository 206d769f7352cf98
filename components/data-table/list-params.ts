import {
  createLoader,
  createParser,
  createSerializer,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server'
import { DISPLAYS, type Display } from '@/lib/definitions/display-forms'
import { exactJsonText } from '@/lib/values/exact-json'
import { type Condition, parseFilter } from './filter/condition'

export type SortKey = { field: string; direction: 'asc' | 'desc' }

export const PAGE_SIZES = [25, 50, 100, 250] as const
const DEFAULT_SIZE = 50

/** Names separated by commas; commas and backslashes in a name stand behind a backslash. */
const joinNames = (names: readonly string[]): string =>
  names.map((name) => name.replace(/[\\,]/g, '\\$&')).join(',')

const splitNames = (text: string): string[] =>
  (text.match(/(?:\\.|[^\\,])+/gs) ?? []).map((part) => part.replace(/\\(.)/gs, '$1'))

const parseAsSort = createParser<SortKey[]>({
  parse: (text) =>
    splitNames(text).map((part) => {
      const at = part.lastIndexOf(':')
      const field = at < 0 ? part : part.slice(0, at)
      return { field, direction: part.slice(at + 1) === 'desc' ? 'desc' : 'asc' }
    }),
  serialize: (keys) => joinNames(keys.map(({ field, direction }) => `${field}:${direction}`)),
  eq: (a, b) => JSON.stringify(a) === JSON.stringify(b),
})

const parseAsFilter = createParser<Condition[]>({
  parse: parseFilter,
  serialize: (filter) => exactJsonText(filter),
  eq: (a, b) => exactJsonText(a) === exactJsonText(b),
})

const parseAsNames = createParser<string[]>({
  parse: splitNames,
  serialize: joinNames,
  eq: (a, b) => joinNames(a) === joinNames(b),
})

export type { Display }

/** What a list shows, as it stands in the page's address. `page` counts from 1 there. */
export const listParams = {
  page: parseAsInteger.withDefault(1),
  size: parseAsInteger.withDefault(DEFAULT_SIZE),
  sort: parseAsSort.withDefault([]),
  filter: parseAsFilter.withDefault([]),
  /** Shown columns in order; null: the list's own choice. */
  cols: parseAsNames,
  /** Plain search over the list's main fields. */
  q: parseAsString.withDefault(''),
  /** Id of the saved view that was chosen; the other parameters say what is shown. */
  savedView: parseAsString,
  display: parseAsStringLiteral(DISPLAYS).withDefault('table'),
  /** Field whose days a calendar shows; null: the first that suits it. */
  by: parseAsString,
  /** `2026-11`, of a calendar; null: the present one. */
  month: parseAsString,
}

export type ListParams = {
  page: number
  size: number
  sort: SortKey[]
  filter: Condition[]
  cols: string[] | null
  q: string
  savedView?: string | null
  display?: Display
  by?: string | null
  month?: string | null
}

/** Reads them on the server, to fetch before the page is sent. */
export const loadListParams = createLoader(listParams)
export const serializeListParams = createSerializer(listParams)

/** What a list shows, but for the page and the month: as saved views and the memory of this device keep it. */
export function toListText(params: ListParams): string {
  const { page: _, month: __, ...kept } = params
  return serializeListParams(kept).replace(/^\?/, '')
}

/** What a saved view keeps of it. */
export const toViewText = (params: ListParams): string => toListText({ ...params, savedView: null })

/** What a text of `toListText` says. */
export const readListText = (text: string): Omit<ListParams, 'page' | 'month'> => {
  const { page: _, month: __, ...params } = loadListParams(new URLSearchParams(text))
  return params
}

/** The search object for what the list shows. `searchIn` are the fields of `q`. */
export function toSearch(
  params: ListParams,
  options: { fields?: string[]; searchIn?: string[] } = {},
) {
  const { page, size, sort } = params
  return {
    ...(options.fields ? { fields: options.fields } : {}),
    query: toQuery(params, options.searchIn),
    sort,
    pagination: { page: Math.max(0, page - 1), size: Math.min(Math.max(1, size), 1000) },
  }
}

/** The conditions alone: for counting, exporting and deleting what the list shows. */
export function toQuery(
  { filter, q }: Pick<ListParams, 'filter' | 'q'>,
  searchIn: string[] = [],
): Condition[] {
  const value = q.trim()
  if (!value || searchIn.length === 0) return filter
  const filters = searchIn.map((field) => ({ field, operator: 'icontains', value }))
  return [...filter, { operator: 'or', filters }]
}
