import { keyParams, newApiKey } from '@/lib/api-keys/contract'
import { rotateKey } from '@/lib/api-keys/rotate-key'
import { methods, route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'rotateApiKey',
      summary: 'Rotate an API key',
      description: 'The old secret becomes invalid immediately.',
      responses: { 200: newApiKey },
      fails: ['conflict'],
    },
    access: 'keys:manage',
    params: keyParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await rotateKey(deps, id, { actor, requestId })],
    }),
  }),
})
