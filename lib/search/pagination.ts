import type { Page } from './read-page'
import type { ResolvedSearch } from './resolved'

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

type Paging = Pick<ResolvedSearch, 'page' | 'size' | 'after'>

/** `total` is a bigint as text. */
export function exactPagination({ page, size }: Paging, totalText: string): Pagination {
  const total = Number(totalText)
  const pages = Math.ceil(total / size)
  return { current: page, total, pages, first: page === 0 || total === 0, last: page >= pages - 1 }
}

/** The page itself corrects an estimate: it may show the end, or that there is more. */
export function openPagination(
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
export function cursorPagination({ size }: Paging, row: Page, estimate: number | null): Pagination {
  const total = row.total === null ? estimate : Number(row.total)
  const pages = total === null ? null : Math.ceil(total / size)
  return { current: null, total, pages, first: false, last: !row.more }
}
