import { createKeyBody, newApiKey } from '@/lib/api-keys/contract'
import { createKey } from '@/lib/api-keys/create-key'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { pageOf, systemRecord } from '@/lib/openapi/responses'
import { searchQuery } from '@/lib/search/contract'
import { inputOfQuery } from '@/lib/search/read-input'
import { searchRecords } from '@/lib/search/search-records'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listApiKeys',
      summary: 'List the API keys',
      responses: { 200: pageOf(systemRecord('EngineApiKeys')) },
    },
    access: 'keys:manage',
    query: searchQuery,
    handle: async ({ deps, query }) => {
      const { data, ...rest } = await searchRecords(deps, 'EngineApiKeys', inputOfQuery(query))
      return { data: new JsonText(data), ...rest }
    },
  }),
  POST: route({
    doc: {
      id: 'createApiKey',
      summary: 'Create an API key',
      description:
        'It acts as its owner, or with `roles` has these and no account (which needs the right `security:manage`); `scopes` narrow either. Only this response contains the key.',
      responses: { 201: newApiKey },
      example: { name: 'Website', scopes: ['Airport:read', 'images:read'] },
    },
    access: 'keys:manage',
    body: createKeyBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createKey(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
