import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { updateWebhook } from '@/lib/webhooks/change-webhook'
import { savedWebhook, updateWebhookBody, webhook, webhookParams } from '@/lib/webhooks/contract'
import { deleteWebhook } from '@/lib/webhooks/delete-webhook'
import { readWebhook } from '@/lib/webhooks/list-webhooks'

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
        'The given properties are changed. Who changes more than `name` and `enabled` is from then on who the webhook acts for. While `enabled` is false, changes wait as long as they are kept. Of a webhook that a plugin declares only `url` and `enabled` are changed here; it sends what changes from its first address on, and that answer alone has its `secret`.',
      responses: { 200: savedWebhook },
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
      description:
        'With its log, and what waits to be sent. One that a plugin declares goes with the plugin, or once the plugin no longer declares it.',
      responses: { 200: listOf(z.never()) },
      fails: ['conflict'],
    },
    access: 'webhooks:manage',
    params: webhookParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => {
      await deleteWebhook(deps, id, { actor, requestId })
      return { data: [] }
    },
  }),
})
