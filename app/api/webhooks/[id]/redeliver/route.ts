import { methods, route } from '@/lib/http/route'
import { redeliverBody, redelivered, webhookParams } from '@/lib/webhooks/contract'
import { redeliverMany } from '@/lib/webhooks/redeliver'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'redeliverWebhook',
      summary: 'Send deliveries of a webhook again',
      description:
        'Those that failed, or those that were queued in a time, at most 10,000 at once; each with the same `webhook-id`.',
      responses: { 200: redelivered },
      example: { status: 'failed' },
    },
    access: 'webhooks:manage',
    params: webhookParams,
    body: redeliverBody,
    handle: async ({ deps, actor, requestId, params: { id }, body }) => ({
      data: [{ redelivered: await redeliverMany(deps, id, body, { actor, requestId }) }],
    }),
  }),
})
