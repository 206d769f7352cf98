import { queryOptions } from '@tanstack/react-query'
import { type ApiResponse, api } from '@/lib/http/client'
import type { Import } from '@/lib/import/contract'
import { IMPORTS } from '@/lib/query/imports-key'
import { refreshAfterImport } from './announce-import'
import { isOver } from './import-item'
import { dropImport, stopImport } from './import-requests'

const POLL_MS = 2_000

/** The caller's imports, a single page, the newest first; dry runs are steps of an import, and left out. */
export const importsOptions = queryOptions({
  queryKey: IMPORTS.key,
  queryFn: ({ signal }) => api<Import>(IMPORTS.path, { signal }),
  select: asPage,
  refetchInterval: ({ state }) => (state.data?.data.every(isOver) ? false : POLL_MS),
})

function asPage(response: ApiResponse<Import>): ApiResponse<Import> {
  const data = response.data.filter(({ dryRun }) => !dryRun)
  const total = data.length
  return { ...response, data, pagination: { current: 0, total, pages: 1, first: true, last: true } }
}

export async function cancelListed(id: string): Promise<void> {
  await stopImport(id)
  await refreshAfterImport()
}

/** Takes an import that is over off the list, with its refused rows. */
export async function removeListed(id: string): Promise<void> {
  await dropImport(id)
  await refreshAfterImport()
}
