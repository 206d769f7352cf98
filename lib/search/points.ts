import type { Point } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import type { Matches, Total } from './count-matches'
import type { FoundPage } from './read-page'
import type { ResolvedSearch } from './resolved'

export type Search = { target: SearchTarget; search: ResolvedSearch; actor: Actor | null }

/** The position of a response's page among all matches. */
export type Pagination = {
  /** Null after a cursor. */
  current: number | null
  /** Null with `count: none`. */
  total: number | null
  pages: number | null
  first: boolean
  last: boolean
  /** Cursor of the next page. */
  next?: string
}

export type SearchPage = {
  /** Text of a JSON array, made inside the database. */
  data: string
  pagination: Pagination
  /** `count: estimated` when `total` is an estimate. `corrected`: the text that was searched for in place of `q`. */
  meta: { count?: 'estimated'; corrected?: string }
}

/** `version`: of the tables when the page was read; null where it is not known. */
export type VersionedPage = { page: SearchPage; version: string | null }

/** `search`: what is known of it. `changes`: what it finds is changed or deleted. */
export type Matching = Pick<Search, 'target' | 'actor'> & {
  search: Pick<ResolvedSearch, 'where'> & Partial<ResolvedSearch>
  changes?: boolean
}

/** `withTotal`: also the exact number of matches. */
export type PageRead = Omit<Search, 'actor'> & { withTotal: boolean }

/** From the outside to the inside. */
declare module '@/lib/around' {
  interface Points {
    /** All that reads records of an entity for one request, with `deps`. */
    readRecords: Point<Deps, SearchTarget>
    /** A search, from its checked form to its page. */
    search: Point<Deps, Search, VersionedPage>
    /** Statements that look for records by conditions: of a search, a count, a change or a deletion. */
    matchRecords: Point<Deps, Matching>
    /** The statements of a page of records, with its total. */
    readPage: Point<Deps, PageRead, FoundPage>
    /** How the number of matches is learned. */
    total: Point<Deps, Matches, Total>
  }
}
