import { recordsErasure, recordsErasureQuery } from '@/lib/erasure/contract'
import { eraseRecords } from '@/lib/erasure/erase-records'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { refuseSystemEntity } from '@/lib/registry/may-read'
import { countBody, entityParams } from '@/lib/search/contract'
import { conditionsOfBody } from '@/lib/search/read-input'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'eraseRecords',
      summary: 'Erase all matching records in all copies',
      description:
        'Deletes the records and what is kept of them and of records that matched before: history, log of changes, trash, what plugins gave, deliveries of webhooks, comments and mails that tell of them, prepared exports, refused rows of imports, values in the audit log. In one transaction, which cannot be undone. At least one condition is needed, and `expected` and `expectedOthers`, the numbers that a dry run says. Saved views that it lists in `views` stay unless their ids are given. In a browser, for those who have confirmed who they are in the last 10 minutes: see `confirmIdentity`.',
      responses: { 200: listOf(recordsErasure) },
      fails: ['conflict', 'method_not_allowed'],
    },
    access: ({ entityName }) => {
      refuseSystemEntity(entityName, 'OPTIONS')
      return 'security:manage'
    },
    params: entityParams,
    query: recordsErasureQuery,
    body: countBody,
    exactNumbers: true,
    load: 'heavy',
    handle: async ({ deps, actor, requestId, request, params: { entityName }, query, body }) => {
      const input = { entityName, ...conditionsOfBody(body), ...query }
      return { data: [await eraseRecords(deps, input, { actor, requestId, client: request })] }
    },
  }),
})
