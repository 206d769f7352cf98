import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError, api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import type { RestoreConflict, RestoreResult, TrashBatch } from '@/lib/trash/contract'
import { type TrashPage, trashKey, trashPath } from './trash-page'

export type TrashBatchWithConflicts = TrashBatch & { conflicts: RestoreConflict[] }

/** A page of deletions, the last one first; while the next one comes the last one stays. */
export const trashOptions = (page: TrashPage) =>
  queryOptions({
    queryKey: trashKey(page),
    queryFn: ({ signal }) => api<TrashBatch>(trashPath(page), { signal }),
    placeholderData: keepPreviousData,
  })

export const batchOptions = (batchId: string) =>
  queryOptions({
    queryKey: ['trash-batch', batchId],
    queryFn: async ({ signal }) => {
      const { data } = await api<TrashBatchWithConflicts>(pathOf(batchId), { signal })
      if (!data[0]) throw new ApiError(404, 'Not found in the trash')
      return data[0]
    },
  })

/** How many records were restored and how many were not; `conflicts` lists at most 1,000 of these. */
export type Restoration = RestoreResult & { conflictCount: number }

/** Restores the records of a deletion and refreshes the records and the trash. */
export async function restoreBatch(batchId: string): Promise<Restoration> {
  const { data, meta } = await api<RestoreResult>(`${pathOf(batchId)}/restore`, { method: 'POST' })
  const result = data[0] ?? { restored: 0, conflicts: [] }
  await refreshRecords()
  return { ...result, conflictCount: Number(meta.conflictCount ?? result.conflicts.length) }
}

const STALE = [['search'], ['count'], ['entities'], ['trash'], ['trash-batch']]

/** After records were deleted or restored. */
export const refreshRecords = () =>
  Promise.all(STALE.map((queryKey) => getQueryClient().invalidateQueries({ queryKey })))

const pathOf = (batchId: string) => `/api/trash/${encodeURIComponent(batchId)}`
