import type { Pagination } from './envelope'

/** The pagination for a page counted from 0; `last`: no page after it. */
export function paginate(
  { page, size }: { page: number; size: number },
  total: number,
): Pagination {
  const pages = Math.ceil(total / size)
  return { current: page, total, pages, first: page === 0, last: page >= pages - 1 }
}
