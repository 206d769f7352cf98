import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { deleteServer, updateServer } from '@/lib/servers/change-servers'
import { otherServer, serverParams, updateServerBody } from '@/lib/servers/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    doc: {
      id: 'changeServer',
      summary: 'Change another server',
      description: 'The given properties are changed. Another `url` needs the `key` again.',
      responses: { 200: otherServer },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: serverParams,
    body: updateServerBody,
    handle: async ({ deps, actor, requestId, params: { id }, body }) => ({
      data: [await updateServer(deps, id, body, { actor, requestId })],
    }),
  }),
  DELETE: route({
    doc: {
      id: 'deleteServer',
      summary: 'Remove another server',
      description: 'With its key; what was promoted stays, and its promotions stay in the list.',
      responses: { 200: listOf(z.never()) },
    },
    access: 'security:manage',
    params: serverParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => {
      await deleteServer(deps, id, { actor, requestId })
      return { data: [] }
    },
  }),
})
