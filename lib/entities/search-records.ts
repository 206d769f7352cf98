import { one, rows } from '@/lib/db/rows'
import type { Deps } from '@/lib/runtime'
import { estimateMatches } from './count-matches'
import { findTarget } from './find-target'
import { groupSql } from './search/group-sql'
import { type PageRow, pageSql } from './search/page-sql'
import { resolveSearch } from './search/resolve-search'
import type { ResolvedGroup, ResolvedSearch } from './search/resolved'
import type { SearchInput } from './search/search-input'
import type { SearchTarget } from './target'

export type SearchPage = {
  /** Text of a JSON array, made inside the database. */
  data: string
  pagination: {
    current: number
    /** Null with `count: none`. */
    total: number | null
    pages: number | null
    first: boolean
    last: boolean
  }
  /** `count: estimated` when `total` is a guess. */
  meta: { count?: 'estimated' }
}

/** Up to here an estimate is replaced by the exact count, which is fast then. */
const EXACT_BELOW = 10_000

/**
 * A page of the records that match, or of their groups. Throws `invalid_input` that names everything wrong with the
 * search, `not_found` and `forbidden` as `findTarget` does.
 */
export async function searchRecords(
  deps: Deps,
  entityName: string,
  input: SearchInput,
): Promise<SearchPage> {
  const target = await findTarget(deps, entityName)
  const search = resolveSearch(target, input)
  if (search.group) return searchGroups(deps, target, search, search.group)
  const estimate = await estimateTotal(deps, target, search)
  const withTotal = search.count !== 'none' && estimate === null
  const row = one(await rows<PageRow>(deps.db, pageSql(target, search, withTotal)))
  const pagination =
    row.total === null ? openPagination(search, row, estimate) : exactPagination(search, row.total)
  return { data: row.data, pagination, meta: estimate === null ? {} : { count: 'estimated' } }
}

/** Their number is a by-product, so it is always exact. */
async function searchGroups(
  { db }: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  group: ResolvedGroup,
): Promise<SearchPage> {
  const { data, total } = one(await rows<PageRow>(db, groupSql(target, search, group)))
  return { data, pagination: exactPagination(search, total ?? '0'), meta: {} }
}

/** Null when no estimate is wanted, or the number is small enough to be counted. */
async function estimateTotal(
  { db }: Deps,
  target: SearchTarget,
  { count, where }: ResolvedSearch,
): Promise<number | null> {
  if (count !== 'estimated') return null
  const estimate = await estimateMatches(db, target, where)
  return estimate < EXACT_BELOW ? null : estimate
}

function exactPagination({ page, size }: ResolvedSearch, totalText: string) {
  const total = Number(totalText)
  const pages = Math.ceil(total / size)
  return { current: page, total, pages, first: page === 0 || total === 0, last: page >= pages - 1 }
}

/** What the page itself tells corrects an estimate: it may show the end, or that there is more. */
function openPagination(
  { page, size }: ResolvedSearch,
  { returned, more }: PageRow,
  estimate: number | null,
) {
  const seen = page * size + returned
  const isEnd = !more && (returned > 0 || page === 0)
  const total = estimate === null ? null : isEnd ? seen : Math.max(estimate, more ? seen + 1 : 0)
  const pages = total === null ? null : Math.ceil(total / size)
  return { current: page, total, pages, first: page === 0, last: !more }
}
