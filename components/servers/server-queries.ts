import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiItem } from '@/lib/http/client'
import { TASKS_KEY } from '@/lib/query/keys'
import type {
  CreateServer,
  OtherServer,
  PlanRequest,
  Promotion,
  PromotionWithPlan,
  ServerTest,
  UpdateServer,
} from '@/lib/servers/contract'

const KEY = ['servers'] as const
const PROMOTIONS = ['promotions'] as const

/** All of them: there are at most 100. */
export const serversOptions = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await api<OtherServer>('/api/servers', { signal })).data,
})

/** Asked again while something is being done. */
const BUSY_MS = 1_000
const BUSY = new Set(['PLANNING', 'WAITING', 'RUNNING', 'UNDOING'])

export const isBusy = ({ status }: Pick<Promotion, 'status'>) => BUSY.has(status)

/** The newest first; the last 100 are kept. */
export const promotionsOptions = queryOptions({
  queryKey: PROMOTIONS,
  queryFn: async ({ signal }) => (await api<Promotion>('/api/promotions', { signal })).data,
  refetchInterval: ({ state }) => (state.data?.some(isBusy) ? BUSY_MS : false),
})

export const promotionOptions = (id: string) =>
  queryOptions({
    queryKey: [...PROMOTIONS, id],
    queryFn: ({ signal }) => apiItem<PromotionWithPlan>(`/api/promotions/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data && !isBusy(state.data) ? false : BUSY_MS),
  })

export const createServer = (body: CreateServer) =>
  apiItem<OtherServer>('/api/servers', { method: 'POST', body })

export const updateServer = ({ id, ...body }: UpdateServer & { id: string }) =>
  apiItem<OtherServer>(`/api/servers/${id}`, { method: 'PATCH', body })

export const deleteServer = ({ id }: OtherServer) => api(`/api/servers/${id}`, { method: 'DELETE' })

export const testServer = (id: string) =>
  apiItem<ServerTest>(`/api/servers/${id}/test`, { method: 'POST' })

export const planPromotion = ({ id, ...body }: PlanRequest & { id: string }) =>
  apiItem<Promotion>(`/api/servers/${id}/plan`, { method: 'POST', body })

export const startPromotion = ({ serverId, seal }: Pick<Promotion, 'serverId' | 'seal'>) =>
  apiItem<Promotion>(`/api/servers/${serverId}/promote`, {
    method: 'POST',
    query: { seal: seal ?? '' },
  })

export const undoPromotion = ({ id }: Pick<Promotion, 'id'>) =>
  apiItem<Promotion>(`/api/promotions/${id}/undo`, { method: 'POST' })

/** What changes servers or promotions, which brings the lists up to date. */
export function useServerMutation<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () =>
      Promise.all(
        [KEY, PROMOTIONS, TASKS_KEY].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  })
}
