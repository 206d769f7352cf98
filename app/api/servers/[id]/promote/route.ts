import '../../own-routes'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { startPromotion } from '@/lib/servers/ask-promotion'
import { promoteQuery, promotion, serverParams } from '@/lib/servers/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'startPromotion',
      summary: 'Carry out the plan of a promotion',
      description:
        'In the background, one at a time; each plugin whole or not at all. Nothing is done unless the plan still holds. A server that ends meanwhile goes on with it once it is started.',
      responses: { 202: listOf(promotion, { description: 'It is being carried out' }) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: serverParams,
    query: promoteQuery,
    handle: async ({ deps, actor, requestId, params: { id }, query: { seal } }) => ({
      data: [await startPromotion(deps, id, seal, { actor, requestId })],
      status: 202,
    }),
  }),
})
