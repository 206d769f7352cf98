import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { updateWebhookBody, webhook, webhookParams } from '@/lib/webhooks/contract'
import { readWebhook } from '@/lib/webhooks/list-webhooks'
import { deleteWebhook, updateWebhook } from '@/lib/webhooks/save-webhook'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: { id: 'readWebhook', summary: 'Read a webhook', responses: { 200: webhook } },
    access: 'webhooks:manage',
    params: webhookParams,
    handle: async ({ deps, params: { id } }) => ({ data: [await readWebhook(deps.db, id)] }),
  }),
  PATCH: route({
    doc: {
      id: 'changeWebhook',
      summary: 'Change, pause or resume a webhook',
      description:
        'The given properties are changed. Who changes more than `name` and `enabled` is from then on who the webhook acts for. While `enabled` is false, changes wait as long as they are kept.',
      responses: { 200: webhook },
      fails: ['conflict'],
      example: { enabled: false },
    },
    access: 'webhooks:manage',
    params: webhookParams,
    body: updateWebhookBody,
    handle: async ({ deps, actor, requestId, params: { id }, body }) => ({
      data: [await updateWebhook(deps, id, body, { actor, requestId })],
    }),
  }),
  DELETE: route({
    doc: {
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'With its log, and what waits to be sent.',
      responses: { 200: listOf(z.never()) },
    },
    access: 'webhooks:manage',
    params: webhookParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => {
      await deleteWebhook(deps, id, { actor, requestId })
      return { data: [] }
    },
  }),
})
