import { methods, route } from '@/lib/http/route'
import { delivery, deliveryParams } from '@/lib/webhooks/contract'
import { redeliverOne } from '@/lib/webhooks/redeliver'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'redeliverWebhookDelivery',
      summary: 'Send a delivery of a webhook again',
      description:
        'With the same `webhook-id`, and what may be seen of the change now. One that waits for its next attempt is sent now.',
      responses: { 200: delivery },
      fails: ['conflict'],
    },
    access: 'webhooks:manage',
    params: deliveryParams,
    handle: async ({ deps, actor, requestId, params }) => ({
      data: [await redeliverOne(deps, params, { actor, requestId })],
    }),
  }),
})
