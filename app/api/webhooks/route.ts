import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { createWebhookBody, newWebhook, webhook, webhooksQuery } from '@/lib/webhooks/contract'
import { listWebhooks } from '@/lib/webhooks/list-webhooks'
import { createWebhook } from '@/lib/webhooks/save-webhook'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listWebhooks',
      summary: 'List the webhooks',
      description: 'By name.',
      responses: { 200: listOf(webhook, { paged: true }) },
    },
    access: 'webhooks:manage',
    query: webhooksQuery,
    handle: async ({ deps, query }) => {
      const { webhooks, total } = await listWebhooks(deps.db, query)
      return { data: webhooks, pagination: paginate(query, total) }
    },
  }),
  POST: route({
    doc: {
      id: 'createWebhook',
      summary: 'Make a webhook',
      description:
        'What changes in its entities from now on is sent to its address, signed as Standard Webhooks says, as the caller may see it at the time of sending: at least once, in order for each record, with retries over three days. Only this response has the secret.',
      responses: { 201: newWebhook },
      fails: ['conflict'],
      example: {
        name: 'Paid orders to the warehouse',
        url: 'https://warehouse.example.com/orders',
        entities: ['Order'],
        where: [{ field: 'status', operator: 'eq', value: 'paid' }],
      },
    },
    access: 'webhooks:manage',
    body: createWebhookBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createWebhook(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
