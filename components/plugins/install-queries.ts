import { queryOptions } from '@tanstack/react-query'
import { type ApiResponse, api } from '@/lib/http/client'
import { installKey } from './searches'
import type { FileLog, History } from './types'

const LOG_PAGE = 1000

/** One install. */
export const installOptions = (id: number) =>
  queryOptions({
    queryKey: installKey(id),
    queryFn: async ({ signal }) =>
      first(await api<History>(`/api/plugins/history/${id}`, { signal })),
  })

/** Every file of an install in the order of processing; an archive holds 10,000 at most. */
export const logsOptions = (id: number) =>
  queryOptions({
    queryKey: [...installKey(id), 'logs'],
    queryFn: ({ signal }) => allLogs(id, signal),
  })

async function allLogs(id: number, signal: AbortSignal): Promise<FileLog[]> {
  const files: FileLog[] = []
  for (let page = 0; ; page += 1) {
    const query = { page, size: LOG_PAGE }
    const response = await api<FileLog>(`/api/plugins/history/${id}/logs`, { query, signal })
    files.push(...response.data)
    if (response.pagination?.last ?? true) return files
  }
}

function first<T>({ data }: ApiResponse<T>): T {
  if (data[0] === undefined) throw new Error('The response is empty')
  return data[0]
}
