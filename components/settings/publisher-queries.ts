import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiItem } from '@/lib/http/client'
import type { Publisher } from '@/lib/publishers/contract'

/** All of them: there are at most 100. */
export const publishersOptions = queryOptions({
  queryKey: ['publishers'],
  queryFn: async ({ signal }) => (await api<Publisher>('/api/publishers', { signal })).data,
})

type Draft = { name: string; publicKey: string; expiresAt: string | null }

export const createPublisher = (body: Draft) =>
  apiItem<Publisher>('/api/publishers', { method: 'POST', body })

export const deletePublisher = ({ id }: Publisher) =>
  apiItem<Publisher>(`/api/publishers/${id}`, { method: 'DELETE' })

export function usePublisherMutation<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: publishersOptions.queryKey }),
  })
}
