import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { deliveriesQuery, delivery, webhookParams } from '@/lib/webhooks/contract'
import { listDeliveries } from '@/lib/webhooks/list-deliveries'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook',
      description:
        'The last first; ended ones are kept as long as changes can be followed, the last 20,000. Keys and bodies of an entity are for callers who may read all of it.',
      responses: { 200: listOf(delivery, { paged: true }) },
    },
    access: 'webhooks:manage',
    params: webhookParams,
    query: deliveriesQuery,
    handle: async ({ deps, actor, params: { id }, query }) => {
      const { deliveries, total } = await listDeliveries(deps, id, query, actor)
      return { data: deliveries, pagination: paginate(query, total) }
    },
  }),
})
