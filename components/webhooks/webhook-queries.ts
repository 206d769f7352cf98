import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiItem } from '@/lib/http/client'
import type {
  CreateWebhook,
  Delivery,
  NewWebhook,
  Redeliver,
  SavedWebhook,
  UpdateWebhook,
  Webhook,
} from '@/lib/webhooks/contract'
import type { DeliveryFilter } from './delivery-filter'

const KEY = ['webhooks'] as const
const path = (id: string, rest = '') => `/api/webhooks/${encodeURIComponent(id)}${rest}`

/** All of them: there are at most 100. */
export const webhooksOptions = queryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: async ({ signal }) =>
    (await api<Webhook>('/api/webhooks', { query: { size: 100 }, signal })).data,
})

/** Asked again while it is open: attempts are made meanwhile. */
const REFRESH_MS = 3_000

export const webhookOptions = (id: string) =>
  queryOptions({
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => apiItem<Webhook>(path(id), { signal }),
    refetchInterval: REFRESH_MS,
  })

export const DELIVERIES_A_PAGE = 50

/** A page of the log, of what `filter` finds; pages count from 0. */
export const deliveriesOptions = (id: string, query: DeliveryFilter & { page: number }) =>
  queryOptions({
    queryKey: [...KEY, 'one', id, 'deliveries', query],
    queryFn: async ({ signal }) => {
      const wanted = Object.entries(query).filter(([, value]) => value !== '')
      const { data, pagination } = await api<Delivery>(path(id, '/deliveries'), {
        query: { ...Object.fromEntries(wanted), size: DELIVERIES_A_PAGE },
        signal,
      })
      return { data, total: pagination?.total ?? data.length }
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const createWebhook = (body: CreateWebhook) =>
  apiItem<NewWebhook>('/api/webhooks', { method: 'POST', body })

export const changeWebhook = ({ id, ...body }: UpdateWebhook & { id: string }) =>
  apiItem<SavedWebhook>(path(id), { method: 'PATCH', body })

export const deleteWebhook = (id: string) => api(path(id), { method: 'DELETE' })

export const sendTest = (id: string) => apiItem<Delivery>(path(id, '/test'), { method: 'POST' })

export const rotateSecret = (id: string) =>
  apiItem<NewWebhook>(path(id, '/rotate-secret'), { method: 'POST' })

export const sendAgain = ({ id, deliveryId }: { id: string; deliveryId: string }) =>
  apiItem<Delivery>(path(id, `/deliveries/${deliveryId}/redeliver`), { method: 'POST' })

export const sendManyAgain = ({ id, ...body }: Redeliver & { id: string }) =>
  apiItem<{ redelivered: number }>(path(id, '/redeliver'), { method: 'POST', body })

/** What changes a webhook or its log, which brings both up to date. */
export function useWebhookMutation<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}
