import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { updateViewBody, viewParams } from '@/lib/views/contract'
import { deleteView, updateView } from '@/lib/views/save-view'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    access: 'signed-in',
    params: viewParams,
    body: updateViewBody,
    handle: async ({ deps, actor, requestId, params, body }) => ({
      data: [await updateView(deps, params.id, body, { actor, requestId })],
    }),
  }),
  DELETE: route({
    access: 'signed-in',
    params: viewParams,
    handle: async ({ deps, actor, requestId, params }) => {
      await deleteView(deps, params.id, { actor, requestId })
      return { data: [] }
    },
  }),
})
