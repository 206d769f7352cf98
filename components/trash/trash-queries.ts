import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListParams } from '@/components/data-table/list-params'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { itemOptions } from '@/lib/query/item-options'
import { IMPORTS } from '@/lib/query/keys'
import type {
  RestoreConflict,
  RestoreResult,
  TrashBatch,
  TrashedRecord,
} from '@/lib/trash/contract'

export type TrashBatchWithConflicts = TrashBatch & { conflicts: RestoreConflict[] }

/** A page of deletions, the last one first; while the next one comes the last one stays. */
export const trashOptions = (page: TrashPage, entity: string | null = null) =>
  queryOptions({
    queryKey: trashKey(page, entity),
    queryFn: ({ signal }) => api<TrashBatch>(trashPath(page, entity), { signal }),
    placeholderData: keepPreviousData,
  })

export const batchOptions = (batchId: string) =>
  itemOptions<TrashBatchWithConflicts>(['trash-batch', batchId], pathOf(batchId))

/** How many records were restored and how many were not; `conflicts` lists at most 1,000 of these. */
export type Restoration = RestoreResult & { conflictCount: number }

/** Of an entity, or of all. */
export type TrashScope = { entity: string | null }

export const RECORDS_SIZE = 10

/** A page of the records of a deletion, from 0. */
export const recordsOptions = (batchId: string, page: number) =>
  queryOptions({
    queryKey: ['trash-batch', batchId, 'records', page],
    queryFn: ({ signal }) =>
      api<TrashedRecord>(`${pathOf(batchId)}/records?page=${page}&size=${RECORDS_SIZE}`, {
        signal,
      }),
    retry: false,
  })

/** Deletes it for good. */
export async function removeBatch(batchId: string): Promise<void> {
  await api(pathOf(batchId), { method: 'DELETE' })
  await refreshRecords()
}

/** Returns the number of deletions that were deleted for good. */
export async function emptyTrash(entity: string | null): Promise<number> {
  const of = entity === null ? '' : `?entity=${encodeURIComponent(entity)}`
  const { data } = await api<{ removed: number }>(`/api/trash${of}`, { method: 'DELETE' })
  await refreshRecords()
  return data[0]?.removed ?? 0
}

/** Restores the records of a deletion, or some by their ids in the trash, and refreshes the records and the trash. */
export async function restoreBatch(
  batchId: string,
  chosen?: readonly number[],
): Promise<Restoration> {
  const some = chosen ? `?records=${chosen.join(',')}` : ''
  const path = `${pathOf(batchId)}/restore${some}`
  const { data, meta } = await api<RestoreResult>(path, { method: 'POST' })
  const result = data[0] ?? { restored: 0, conflicts: [] }
  await refreshRecords()
  return { ...result, conflictCount: Number(meta.conflictCount ?? result.conflicts.length) }
}

const STALE = [
  ['search'],
  ['count'],
  ['record'],
  ['record-history'],
  ['record-rights'],
  ['entities'],
  ['trash'],
  ['trash-batch'],
  IMPORTS.key,
]

/** After records were deleted, edited, imported or restored. */
export const refreshRecords = () =>
  Promise.all(STALE.map((queryKey) => getQueryClient().invalidateQueries({ queryKey })))

const pathOf = (batchId: string) => `/api/trash/${encodeURIComponent(batchId)}`

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
