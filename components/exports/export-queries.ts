import { queryOptions } from '@tanstack/react-query'
import type { BackgroundExport } from '@/lib/export/contract'
import { type ApiResponse, api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { EXPORTS, TASKS_KEY } from '@/lib/query/keys'

const POLL_MS = 2_000

const pathOf = (id: string) => `${EXPORTS.path}/${encodeURIComponent(id)}`

/** Where the browser gets the file. */
export const fileHref = (id: string) => `${pathOf(id)}/file`

export const isPreparing = ({ status }: Pick<BackgroundExport, 'status'>) =>
  status === 'WAITING' || status === 'RUNNING'

/** The caller's exports, a single page, the newest first. */
export const exportsOptions = queryOptions({
  queryKey: EXPORTS.key,
  queryFn: ({ signal }) => api<BackgroundExport>(EXPORTS.path, { signal }),
  select: asPage,
  refetchInterval: ({ state }) => (state.data?.data.some(isPreparing) ? POLL_MS : false),
})

function asPage(response: ApiResponse<BackgroundExport>): ApiResponse<BackgroundExport> {
  const total = response.data.length
  return { ...response, pagination: { current: 0, total, pages: 1, first: true, last: true } }
}

export async function cancelExport(id: string): Promise<void> {
  await api(`${pathOf(id)}/cancel`, { method: 'POST' })
  await refreshExports()
}

export async function removeExport(id: string): Promise<void> {
  await api(pathOf(id), { method: 'DELETE' })
  await refreshExports()
}

export async function readExport(id: string): Promise<BackgroundExport | null> {
  const found = await api<BackgroundExport>(pathOf(id)).catch(() => null)
  return found?.data[0] ?? null
}

export const refreshExports = () =>
  Promise.all(
    [EXPORTS.key, TASKS_KEY].map((queryKey) => getQueryClient().invalidateQueries({ queryKey })),
  )
