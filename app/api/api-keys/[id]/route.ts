import { apiKey, keyParams } from '@/lib/api-keys/contract'
import { revokeKey } from '@/lib/api-keys/revoke-key'
import { getKey, toApiKey } from '@/lib/api-keys/store'
import { methods, route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: { id: 'readApiKey', summary: 'Read an API key', responses: { 200: apiKey } },
    access: 'keys:manage',
    params: keyParams,
    handle: async ({ deps, params: { id } }) => ({ data: [toApiKey(await getKey(deps.db, id))] }),
  }),
  DELETE: route({
    doc: { id: 'revokeApiKey', summary: 'Revoke an API key', responses: { 200: apiKey } },
    access: 'keys:manage',
    params: keyParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await revokeKey(deps, id, { actor, requestId })],
    }),
  }),
})
