import '../../own-routes'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { planPromotionWith } from '@/lib/servers/ask-promotion'
import { planBody, promotion, serverParams } from '@/lib/servers/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'planPromotion',
      summary: 'Plan a promotion',
      description:
        'Compares this server with another one in the background: `GET /api/promotions/{id}` has the plan once `status` is `PLANNED`. Nothing is changed.',
      responses: { 202: listOf(promotion, { description: 'It is being planned' }) },
      fails: ['conflict'],
      example: { direction: 'pull', records: 'all' },
    },
    access: 'security:manage',
    params: serverParams,
    body: planBody,
    handle: async ({ deps, actor, requestId, params: { id }, body }) => ({
      data: [await planPromotionWith(deps, id, body, { actor, requestId })],
      status: 202,
    }),
  }),
})
