import '../../../servers/own-routes'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { undoPromotionWith } from '@/lib/servers/ask-promotion'
import { promotion, promotionParams } from '@/lib/servers/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'undoPromotion',
      summary: 'Undo a promotion',
      description:
        'In the background, the last step first. What people have changed since stays as they changed it.',
      responses: { 202: listOf(promotion, { description: 'It is being undone' }) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: promotionParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await undoPromotionWith(deps, id, { actor, requestId })],
      status: 202,
    }),
  }),
})
