import type { ListParams } from '@/components/data-table/list-params'

export type TrashPage = Pick<ListParams, 'page' | 'size'>

const MAX_SIZE = 1000

/** The request of a page of the trash; `page` counts from 1, as in the page's address. */
export function trashPath({ page, size }: TrashPage, entity: string | null = null): string {
  const query = { page: Math.max(0, page - 1), size: Math.min(Math.max(1, size), MAX_SIZE) }
  const of = entity === null ? '' : `&entity=${encodeURIComponent(entity)}`
  return `/api/trash?page=${query.page}&size=${query.size}${of}`
}

/** The query key of its response, on the server and in the browser. */
export const trashKey = ({ page, size }: TrashPage, entity: string | null = null) =>
  ['trash', page, size, entity] as const
