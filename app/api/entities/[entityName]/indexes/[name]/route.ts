import { z } from 'zod'
import { addedIndex, indexParams } from '@/lib/advice/contract'
import { removeIndex } from '@/lib/advice/drop-index'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { definitionAccess } from '@/lib/registry/may-read'

/** Drops an added index. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    doc: {
      id: 'deleteIndex',
      summary: 'Drop an added index',
      description: 'Indexes of the definition are dropped by changing the definition.',
      responses: { 200: listOf(addedIndex, { description: 'As it was' }) },
      fails: ['conflict', 'method_not_allowed'],
    },
    access: definitionAccess('plugins:install'),
    params: indexParams,
    query: z.strictObject({}),
    handle: async ({ deps, actor, requestId, params }) => {
      const input = { entityName: params.entityName, name: params.name, actor, requestId }
      return { data: [await removeIndex(deps, input)] }
    },
  }),
})
