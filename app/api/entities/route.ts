import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { summariseEntities } from '@/lib/registry/summarise-entities'
import { entitySummary } from '@/lib/registry/summary-contract'
import { entitiesQuery } from '@/lib/search/contract'

/** The installed entities that the caller may read. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listEntities',
      summary: 'List the entities that the caller may read',
      responses: { 200: listOf(entitySummary) },
    },
    access: 'signed-in',
    query: entitiesQuery,
    handle: async ({ deps, actor, query }) => ({
      data: await summariseEntities(deps, actor, query),
    }),
  }),
})
