import { methods, route } from '@/lib/http/route'
import { entitySummary } from '@/lib/registry/summary-contract'
import { entitiesQuery } from '@/lib/search/contract'
import { summariseEntities } from '@/lib/search/summarise-entities'

/** The installed entities that the caller may read. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listEntities',
      summary: 'List the entities that the caller may read',
      description: 'With the fields and the number of records that it may read.',
      responses: { 200: entitySummary },
    },
    access: 'signed-in',
    query: entitiesQuery,
    handle: async ({ deps, actor, query }) => ({
      data: await summariseEntities(deps, actor, query),
    }),
  }),
})
