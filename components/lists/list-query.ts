import type { Condition } from '@/components/data-table/filter/condition'
import { type ListParams, type SortKey, toSearch } from '@/components/data-table/list-params'
import type { Search } from '@/lib/query/search-key'

type Options = {
  /** The fields that plain search looks into. */
  searchIn: string[]
  /** The order unless the address names another one. */
  order: SortKey
}

/** Returns the function from what a list shows to its search; conditions of `within` always hold. */
export const listSearch =
  ({ searchIn, order }: Options) =>
  (params: ListParams, within: readonly Condition[] = []): Search => {
    const search = toSearch(params, { searchIn })
    const sort = params.sort.length > 0 ? params.sort : [order]
    return { ...search, sort, query: [...within, ...search.query] }
  }

/** The records of `entity` as a list shows them: fetched by the server first, then by the browser. */
export type ListQuery = { entity: string; search: ReturnType<typeof listSearch> }

export const listQuery = (entity: string, options: Options): ListQuery => ({
  entity,
  search: listSearch(options),
})
