import type { Actor } from '@/lib/auth/rights'
import { one, rows } from '@/lib/db/rows'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { findTarget } from '@/lib/tables/find-target'
import { explainMatches } from './count-matches'
import { readCursor, writeCursor } from './cursor'
import { cursorPagination, exactPagination, openPagination, type Pagination } from './pagination'
import { type FoundPage, type Page, readPage } from './read-page'
import { readRecords } from './read-source'
import { waitInCompany } from './read-together'
import { rememberedPage, type VersionedPage } from './remembered-pages'
import { resolveSearch } from './resolve-search'
import type { ResolvedGroup, ResolvedSearch } from './resolved'
import { runSearch } from './run-search'
import type { SearchInput } from './search-input'
import { timeSearch } from './slow-searches'
import { type GroupRow, groupSql } from './sql/group-sql'

export type SearchPage = {
  /** Text of a JSON array, made inside the database. */
  data: string
  pagination: Pagination
  /** `count: estimated` when `total` is an estimate. */
  meta: { count?: 'estimated' }
}

/** An estimate below this is replaced by the exact count, which is fast then. */
const EXACT_BELOW = 10_000

/**
 * A page of the matching records, or of their groups, or what follows a cursor. Throws `invalid_input`
 * that names every fault of the search, `not_found` and `forbidden` as `findTarget` does, and as `runSearch`
 * does. References are followed only for a `reader`, into entities it may read; otherwise `forbidden`.
 */
export async function searchRecords(
  deps: Deps,
  entityName: string,
  input: SearchInput,
  reader: Actor | null = null,
): Promise<SearchPage> {
  const target = await findTarget(deps, entityName, reader)
  const resolved = resolveSearch(target, input)
  const { cursor } = input
  const after = cursor && readCursor(deps.secret, target, resolved, cursor)
  const search = { ...resolved, after }
  return readRecords(deps, target, (source) => findPage(source, target, search, reader))
}

function findPage(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  actor: Actor | null,
): Promise<SearchPage> {
  const { group } = search
  const find = (ready: FoundPage | null) =>
    group ? searchGroups(deps, target, search, group) : searchPage(deps, target, search, ready)
  return rememberedPage(deps, target, search, async () => {
    const company = waitInCompany(deps, target, search)
    const work = () => company.read().then(find)
    try {
      return await runSearch(deps, { target, search, actor }, () =>
        timeSearch(deps, target, search, work),
      )
    } finally {
      company.leave()
    }
  })
}

async function searchPage(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  ready: FoundPage | null,
): Promise<VersionedPage> {
  const estimate = await estimateTotal(deps, target, search)
  const withTotal = search.count !== 'none' && estimate === null
  const page = await readPage(deps, target, search, withTotal, ready)
  const pagination = paginationOf(search, page, estimate)
  if (!pagination.last && page.position !== null)
    pagination.next = writeCursor(deps.secret, target, search, page.position)
  const meta = estimate === null ? {} : ({ count: 'estimated' } as const)
  return { page: { data: page.data, pagination, meta }, version: page.version }
}

function paginationOf(search: ResolvedSearch, page: Page, estimate: number | null): Pagination {
  if (search.after) return cursorPagination(search, page, estimate)
  if (page.total === null) return openPagination(search, page, estimate)
  return exactPagination(search, page.total)
}

/** Their number is a by-product, so it is always exact. */
async function searchGroups(
  { db }: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  group: ResolvedGroup,
): Promise<VersionedPage> {
  const { data, total } = one(await rows<GroupRow>(db, groupSql(target, search, group)))
  const page = { data, pagination: exactPagination(search, total), meta: {} }
  return { page, version: null }
}

/** Null when no estimate is wanted, or the number is small enough to be counted. */
async function estimateTotal(
  { db }: Deps,
  target: SearchTarget,
  { count, where, joins }: ResolvedSearch,
): Promise<number | null> {
  if (count !== 'estimated') return null
  const estimate = await explainMatches(db, target, where, joins)
  return estimate.count < EXACT_BELOW ? null : estimate.count
}
