import { advice, adviceMeta } from '@/lib/advice/contract'
import { giveAdvice } from '@/lib/advice/give-advice'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { entityParams } from '@/lib/search/contract'

/** Slow searches of an entity, by their shape, and the indexes that would help. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listAdvice',
      summary: 'List slow searches and indexes that would help',
      description:
        'A row for each shape of slow searches: fields, operators and sort, never values. `meta` holds the added indexes.',
      responses: { 200: listOf(advice, { meta: adviceMeta }) },
    },
    access: 'system:read',
    params: entityParams,
    handle: async ({ deps, params }) => giveAdvice(deps, params.entityName),
  }),
})
