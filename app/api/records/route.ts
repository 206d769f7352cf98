import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { findMeta, findQuery, foundRecord } from '@/lib/search/find-contract'
import { findRecords } from '@/lib/search/find-records'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'findRecords',
      summary: 'Find records of any entity',
      description:
        'By their key, or by a part of a searchable field (without one: of the first texts), in the entities that the caller may read. At most 20, five of an entity.',
      responses: { 200: listOf(foundRecord, { meta: findMeta }) },
    },
    access: 'signed-in',
    query: findQuery,
    load: 'heavy',
    handle: async ({ deps, actor, query }) => {
      const { records, incomplete } = await findRecords(deps, query.term, actor)
      return { data: records, meta: { incomplete } }
    },
  }),
})
