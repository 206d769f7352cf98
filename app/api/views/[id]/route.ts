import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { savedView, updateViewBody, viewParams } from '@/lib/views/contract'
import { deleteView, updateView } from '@/lib/views/save-view'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    doc: {
      id: 'changeView',
      summary: 'Change a saved view',
      description:
        'Its owner and managers of users may. Everyone who sees it may make it their own default.',
      responses: { 200: savedView },
      fails: ['conflict'],
    },
    access: 'signed-in',
    params: viewParams,
    body: updateViewBody,
    handle: async ({ deps, actor, requestId, params, body }) => ({
      data: [await updateView(deps, params.id, body, { actor, requestId })],
    }),
  }),
  DELETE: route({
    doc: {
      id: 'deleteView',
      summary: 'Delete a saved view',
      description: 'Its owner and managers of users may.',
      responses: { 200: listOf(z.never()) },
    },
    access: 'signed-in',
    params: viewParams,
    handle: async ({ deps, actor, requestId, params }) => {
      await deleteView(deps, params.id, { actor, requestId })
      return { data: [] }
    },
  }),
})
