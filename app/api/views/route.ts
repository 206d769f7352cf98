import { methods, route } from '@/lib/http/route'
import { createViewBody, savedView, viewsQuery } from '@/lib/views/contract'
import { listViews } from '@/lib/views/list-views'
import { createView } from '@/lib/views/save-view'

/** Saved views of an entity: the caller's own and the shared ones. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listViews',
      summary: 'List the saved views of an entity',
      description: "The caller's own, those of the caller's roles and those shared with everybody.",
      responses: { 200: savedView },
    },
    access: 'signed-in',
    query: viewsQuery,
    handle: async ({ deps, actor, query }) => ({
      data: await listViews(deps, query.entity, actor),
    }),
  }),
  POST: route({
    doc: {
      id: 'createView',
      summary: 'Save a view of an entity',
      description:
        'For its owner, for the users with a role, or for everybody who may read the entity. What others see needs the right `views:publish`. Only managers of users make it the default of roles. A person has at most 50 views of an entity, and 500 in all.',
      responses: { 201: savedView },
      fails: ['conflict'],
      example: { entity: 'Airport', name: 'In Rome', params: 'filter=city:eq:Rome' },
    },
    access: 'signed-in',
    body: createViewBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createView(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
