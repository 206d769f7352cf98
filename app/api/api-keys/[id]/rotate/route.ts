import { keyParams } from '@/lib/api-keys/contract'
import { rotateKey } from '@/lib/api-keys/rotate-key'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'keys:manage',
    params: keyParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await rotateKey(deps, id, { actor, requestId })],
    }),
  }),
})
