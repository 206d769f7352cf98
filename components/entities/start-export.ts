import { announceBegun } from '@/components/exports/announce-export'
import type { BackgroundExport } from '@/lib/export/contract'
import { type ApiResponse, api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { EXPORTS } from '@/lib/query/exports-key'
import { TASKS_KEY } from '@/lib/query/tasks-key'
import type { Task } from '@/lib/tasks/contract'
import { entityPath } from './entity-queries'
import type { Selection } from './export-records'

/** Has all matching records prepared as a file in the background. Throws `ApiError`. */
export async function startExport(
  entity: string,
  format: BackgroundExport['format'],
  selection: Selection,
): Promise<void> {
  const path = `${entityPath(entity, '/exports')}?format=${format}`
  const { data } = await api<BackgroundExport>(path, { method: 'POST', body: selection })
  const client = getQueryClient()
  // Seen as running immediately, so that its end is noticed however soon it comes.
  client.setQueryData<ApiResponse<Task>>(TASKS_KEY, (before) => ({
    meta: {},
    ...before,
    data: [...(before?.data ?? []), ...data.map(asTask)],
  }))
  void client.invalidateQueries({ queryKey: EXPORTS.key })
  announceBegun(entity)
}

const asTask = (created: BackgroundExport): Task => ({
  kind: 'export',
  id: created.id,
  name: created.entity,
  startedBy: created.createdBy,
  startedAt: created.createdAt,
  done: created.doneRows,
  total: created.totalRows,
  failed: 0,
  dryRun: false,
})
