import { queryOptions } from '@tanstack/react-query'
import { api } from '@/lib/http/client'
import { decisionsOf, type Resolution } from './conflicts/resolution'
import type { InstallPreview } from './types'

type Response = { data: { history: number | null; plan?: InstallPreview } }

async function send(id: number, resolution: Resolution, query: Record<string, string>) {
  const onConflict = resolution.otherwise ?? 'keep'
  const path = `/api/plugins/history/${id}/rollback?${new URLSearchParams({ onConflict, ...query })}`
  const decisions = decisionsOf(resolution)
  const body = decisions ? { body: { decisions } } : {}
  // Its `data` is an object, as that of an install.
  const { data } = (await api(path, { method: 'POST', ...body })) as unknown as Response
  return data
}

/** What rolling an install back would do now. */
export const rollbackPlanOptions = (id: number, resolution: Resolution) =>
  queryOptions({
    queryKey: ['rollback-plan', id, resolution.otherwise, [...resolution.except]],
    queryFn: async () => {
      const { plan } = await send(id, resolution, { dryRun: 'true' })
      if (!plan) throw new Error('The server returned no plan')
      return plan
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** Rolls an install back as planned; returns the number of the rollback in the history. */
export const rollBack = async (id: number, resolution: Resolution, seal: string) =>
  (await send(id, resolution, { seal })).history
