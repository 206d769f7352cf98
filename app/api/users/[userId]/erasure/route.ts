import { erasureQuery, personErasure, personErasureBody } from '@/lib/erasure/contract'
import { erasePerson } from '@/lib/erasure/erase-person'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { userParams } from '@/lib/users/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'erasePerson',
      summary: 'Erase a person',
      description:
        'Deletes the account with all that belongs to it, and puts a pseudonym wherever the person stood: in the audit log, comments, records that they created or changed, and copies of these. In one transaction, which cannot be undone. Also by the id of an account that was deleted before. With `dryRun`, the response says what would happen. In a browser, for those who have confirmed who they are in the last 10 minutes: see `confirmIdentity`.',
      responses: { 200: listOf(personErasure) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: userParams,
    query: erasureQuery,
    body: personErasureBody,
    optionalBody: true,
    load: 'heavy',
    handle: async ({ deps, actor, requestId, request, params: { userId }, query, body }) => {
      const input = { userId, confirm: body.confirm, dryRun: query.dryRun }
      return { data: [await erasePerson(deps, input, { actor, requestId, client: request })] }
    },
  }),
})
