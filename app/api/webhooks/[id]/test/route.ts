import { methods, route } from '@/lib/http/route'
import { delivery, webhookParams } from '@/lib/webhooks/contract'
import { sendTest } from '@/lib/webhooks/send-test'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'testWebhook',
      summary: 'Send a test to a webhook',
      description:
        'A message `webhook.test`, once, also while the webhook is stopped; the response says what the receiver answered.',
      responses: { 200: delivery },
    },
    access: 'webhooks:manage',
    params: webhookParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await sendTest(deps, id, { actor, requestId })],
    }),
  }),
})
