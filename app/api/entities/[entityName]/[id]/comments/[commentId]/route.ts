import { z } from 'zod'
import { commentBody, commentParams, recordComment } from '@/lib/comments/contract'
import { changeComment, deleteComment } from '@/lib/comments/write-comments'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { refuseSystemEntity } from '@/lib/registry/may-read'

const access = ({ entityName }: { entityName: string }) => {
  refuseSystemEntity(entityName, 'OPTIONS')
  return { entity: entityName, action: 'read' } as const
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    doc: {
      id: 'changeRecordComment',
      summary: 'Change a comment on a record',
      description:
        'Its author may. Mails go to those alone whom the comment did not mention before.',
      responses: { 200: recordComment },
      fails: ['method_not_allowed'],
      example: { text: 'The customer has paid.' },
    },
    access,
    params: commentParams,
    body: commentBody,
    handle: async ({ deps, actor, requestId, params, body }) => ({
      data: [await changeComment(deps, { ...params, ...body, actor, requestId })],
    }),
  }),
  DELETE: route({
    doc: {
      id: 'deleteRecordComment',
      summary: 'Delete a comment on a record',
      description: 'Its author and those who may manage users may.',
      responses: { 200: listOf(z.never()) },
      fails: ['method_not_allowed'],
    },
    access,
    params: commentParams,
    handle: async ({ deps, actor, requestId, params }) => {
      await deleteComment(deps, { ...params, actor, requestId })
      return { data: [] }
    },
  }),
})
