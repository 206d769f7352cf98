import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listQuery } from '@/components/lists/list-query'
import type { ApiKey, NewApiKey } from '@/lib/api-keys/contract'
import { type ApiResponse, api } from '@/lib/http/client'

type KeyDraft = {
  name: string
  scopes: string[] | null
  roles?: string[]
  expiresAt: string | null
}

const only = <T>({ data }: ApiResponse<T>): T => {
  const [first] = data
  if (data.length !== 1 || first === undefined) throw new Error('The server returned no key')
  return first
}

export const createKey = async (draft: KeyDraft): Promise<NewApiKey> =>
  only(await api<NewApiKey>('/api/api-keys', { method: 'POST', body: draft }))

export const rotateKey = async ({ id }: ApiKey): Promise<NewApiKey> =>
  only(await api<NewApiKey>(`/api/api-keys/${id}/rotate`, { method: 'POST' }))

export const revokeKey = async ({ id }: ApiKey): Promise<ApiKey> =>
  only(await api<ApiKey>(`/api/api-keys/${id}`, { method: 'DELETE' }))

/** A change of a key, which refreshes the list. */
export function useKeyMutation<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['search', 'EngineApiKeys'] }),
  })
}

/** All API keys, the latest first. */
export const keysQuery = listQuery('EngineApiKeys', {
  searchIn: ['name', 'prefix'],
  order: { field: 'createdAt', direction: 'desc' },
})
