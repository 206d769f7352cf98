import { methods, route } from '@/lib/http/route'
import { newWebhook, webhookParams } from '@/lib/webhooks/contract'
import { rotateSecret } from '@/lib/webhooks/rotate-secret'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description:
        'The former one signs too for 24 hours, so that the receiver can change over. Only this response has the new one.',
      responses: { 200: newWebhook },
    },
    access: 'webhooks:manage',
    params: webhookParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await rotateSecret(deps, id, { actor, requestId })],
    }),
  }),
})
