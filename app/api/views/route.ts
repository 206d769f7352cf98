import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { createViewBody, viewsQuery } from '@/lib/views/contract'
import { listViews } from '@/lib/views/list-views'
import { createView } from '@/lib/views/save-view'

/** Saved views of an entity: the caller's own and those shared with everybody. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    query: viewsQuery,
    handle: async ({ deps, actor, query }) => ({
      data: await listViews(deps, query.entity, actor),
    }),
  }),
  POST: route({
    access: 'signed-in',
    body: createViewBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createView(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
