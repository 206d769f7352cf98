import { commentBody, commentsQuery, recordComment } from '@/lib/comments/contract'
import { listComments } from '@/lib/comments/list-comments'
import { createComment } from '@/lib/comments/write-comments'
import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { recordParams } from '@/lib/records/contract'
import { refuseSystemEntity } from '@/lib/registry/may-read'

const SYSTEM_ALLOWS = 'OPTIONS'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listRecordComments',
      summary: 'List the comments on a record',
      description: 'Oldest first. Everyone who may read the record may read and write them.',
      responses: { 200: listOf(recordComment, { paged: true }) },
      fails: ['method_not_allowed'],
      headers: ['X-Engine-View-As'],
    },
    access: ({ entityName }) => {
      refuseSystemEntity(entityName, SYSTEM_ALLOWS)
      return { entity: entityName, action: 'read' }
    },
    params: recordParams,
    query: commentsQuery,
    handle: async ({ deps, actor, params, query }) => {
      const { id, entityName } = params
      const { comments, total } = await listComments(deps, { id, entityName, ...query, actor })
      return { data: comments, pagination: paginate(query, total) }
    },
  }),
  POST: route({
    doc: {
      id: 'createRecordComment',
      summary: 'Comment on a record',
      description:
        'Plain text. `@` with the email of an active user who may read the record sends them a mail; the response does not tell whom it reached. A record has at most 1,000 comments.',
      responses: { 201: recordComment },
      fails: ['conflict', 'method_not_allowed'],
      example: { text: '@ann@example.com Has the customer paid?' },
    },
    access: ({ entityName }) => {
      refuseSystemEntity(entityName, SYSTEM_ALLOWS)
      return { entity: entityName, action: 'read' }
    },
    params: recordParams,
    body: commentBody,
    handle: async ({ deps, actor, requestId, params, body }) => ({
      data: [await createComment(deps, { ...params, ...body, actor, requestId })],
      status: 201,
    }),
  }),
})
