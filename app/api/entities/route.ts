import { entitiesQuery } from '@/lib/entities/contract'
import { summariseEntities } from '@/lib/entities/summarise-entities'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

/** The installed entities that the caller may read. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    query: entitiesQuery,
    handle: async ({ deps, actor, query }) => ({
      data: await summariseEntities(deps, actor, query),
    }),
  }),
})
