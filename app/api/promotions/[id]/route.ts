import { methods, route } from '@/lib/http/route'
import { promotionParams, promotionWithPlan } from '@/lib/servers/contract'
import { findPromotion, withPlan } from '@/lib/servers/promotions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readPromotion',
      summary: 'Read a promotion with its plan',
      responses: { 200: promotionWithPlan },
    },
    access: 'security:manage',
    params: promotionParams,
    handle: async ({ deps, params: { id } }) => ({
      data: [withPlan(await findPromotion(deps.db, id))],
    }),
  }),
})
