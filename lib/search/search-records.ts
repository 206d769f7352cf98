import { around } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { correctWords } from './correct-words'
import { explainMatches } from './count-matches'
import { readCursor, writeCursor } from './cursor'
import { findTarget } from './find-target'
import { readGroups } from './group-sql'
import { matchRecords } from './match-records'
import type { Pagination, Search, SearchPage, VersionedPage } from './points'
import { type Page, readPage } from './read-page'
import { resolveSearch } from './resolve-search'
import type { ResolvedGroup, ResolvedSearch } from './resolved'
import type { SearchInput } from './search-input'
import { asksHidden } from './text-search'

/** An estimate below this is replaced by the exact count, which is fast then. */
const EXACT_BELOW = 10_000

/**
 * A page of the matching records, or of their groups, or what follows a cursor. Throws `invalid_input`
 * that names every fault of the search, `not_found` and `forbidden` as `findTarget` does, and as `matchRecords`
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
  if (cursor) resolved.after = readCursor(deps.secret, target, resolved, cursor)
  const run = { target, search: resolved, actor: reader }
  return around(deps, 'readRecords', target, async (source) => {
    const { page } = await runSearch(source, run)
    return mayBeCorrected(input, page) ? ((await correctedPage(source, run, input)) ?? page) : page
  })
}

const runSearch = (deps: Deps, run: Search): Promise<VersionedPage> =>
  around(deps, 'search', run, (source) =>
    matchRecords(source, run, (source) => findPage(source, run)),
  )

const mayBeCorrected = ({ corrections, q, cursor, groupBy }: SearchInput, { data }: SearchPage) =>
  corrections && q !== undefined && data === NOTHING && !cursor && !groupBy

/** What is found for the text that was likely meant, where nothing is found for the one that was typed. */
async function correctedPage(
  deps: Deps,
  { target, search, actor }: Search,
  { corrections, ...input }: SearchInput,
): Promise<SearchPage | null> {
  const likely = await matchRecords(deps, { target, search, actor }, (source) =>
    correctWords(source, target, search, input.q ?? ''),
  )
  if (likely === null) return null
  const meant = { target, search: resolveSearch(target, { ...input, q: likely }), actor }
  const { page } = await runSearch(deps, meant)
  return page.data === NOTHING ? null : { ...page, meta: { ...page.meta, corrected: likely } }
}

const NOTHING = '[]'

const findPage = (deps: Deps, { target, search }: Search): Promise<VersionedPage> =>
  search.group ? searchGroups(deps, target, search, search.group) : searchPage(deps, target, search)

async function searchPage(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
): Promise<VersionedPage> {
  const estimate = search.count === 'estimated' ? await estimateTotal(deps, target, search) : null
  const withTotal = search.count !== 'none' && estimate === null
  const page = await readPage(deps, target, search, withTotal)
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
  const { data, total } = await readGroups(db, target, search, group)
  const page = { data, pagination: exactPagination(search, total), meta: {} }
  return { page, version: null }
}

/**
 * Null when the number is small enough to be counted, or when rows or searched texts are hidden from the
 * reader, of which the planner's figures would tell.
 */
async function estimateTotal(
  { db }: Deps,
  target: SearchTarget,
  { where, joins }: ResolvedSearch,
): Promise<number | null> {
  if (target.rule || where.some(asksHidden)) return null
  const estimate = await explainMatches(db, target, where, joins)
  return estimate.count < EXACT_BELOW ? null : estimate.count
}

type Paging = Pick<ResolvedSearch, 'page' | 'size' | 'after'>

/** `total` is a bigint as text. */
function exactPagination({ page, size }: Paging, totalText: string): Pagination {
  const total = Number(totalText)
  const pages = Math.ceil(total / size)
  return { current: page, total, pages, first: page === 0 || total === 0, last: page >= pages - 1 }
}

/** The page itself corrects an estimate: it may show the end, or that there is more. */
function openPagination(
  { page, size }: Paging,
  { returned, more }: Page,
  estimate: number | null,
): Pagination {
  const seen = page * size + returned
  const isEnd = !more && (returned > 0 || page === 0)
  const total = estimate === null ? null : isEnd ? seen : Math.max(estimate, more ? seen + 1 : 0)
  const pages = total === null ? null : Math.ceil(total / size)
  return { current: page, total, pages, first: page === 0, last: !more }
}

/** The distance of a cursor from the start is not known. */
function cursorPagination({ size }: Paging, row: Page, estimate: number | null): Pagination {
  const total = row.total === null ? estimate : Number(row.total)
  const pages = total === null ? null : Math.ceil(total / size)
  return { current: null, total, pages, first: false, last: !row.more }
}
