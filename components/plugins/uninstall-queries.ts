import { queryOptions } from '@tanstack/react-query'
import { refreshRecords } from '@/components/trash/trash-queries'
import { api } from '@/lib/http/client'
import type { UninstallReport } from '@/lib/plugins/uninstall-contract'
import { getQueryClient } from '@/lib/query/client'
import { pluginKey } from './searches'

export type Choice = { records: 'trash' | 'keep'; with: readonly string[] }

/** What uninstalling would do now. */
export const reportOptions = (id: string, choice: Choice) =>
  queryOptions({
    queryKey: ['uninstall-report', id, choice],
    queryFn: ({ signal }) => send(id, choice, { dryRun: true, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** Uninstalls a plugin and refreshes what shows plugins, entities and the trash. */
export async function uninstall(id: string, choice: Choice): Promise<UninstallReport> {
  const report = await send(id, choice, { dryRun: false })
  getQueryClient().removeQueries({ queryKey: pluginKey(id), type: 'inactive' })
  await refreshRecords()
  return report
}

async function send(
  id: string,
  choice: Choice,
  { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal },
): Promise<UninstallReport> {
  const params = new URLSearchParams({ records: choice.records })
  if (dryRun) params.set('dryRun', 'true')
  if (choice.with.length > 0) params.set('with', choice.with.join(','))
  const path = `/api/plugins/${encodeURIComponent(id)}?${params}`
  const { data } = await api<UninstallReport>(path, { method: 'DELETE', signal })
  if (!data[0]) throw new Error('The server returned no report')
  return data[0]
}
