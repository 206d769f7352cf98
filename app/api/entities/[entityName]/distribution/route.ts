import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { definitionAccess } from '@/lib/registry/may-read'
import { entityParams } from '@/lib/search/contract'
import { distributeEntity, distributionOf } from '@/lib/tables/distribute-entity'
import {
  distributionBody,
  distributionChange,
  distributionQuery,
  distributionState,
} from '@/lib/tables/distribution-contract'

/** Where a Citus cluster keeps the records of an entity. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'getDistribution',
      summary: 'Where the records of an entity are',
      description: 'On a Citus cluster, with the progress while they are moved.',
      responses: { 200: distributionState },
      fails: ['method_not_allowed'],
    },
    access: definitionAccess('plugins:install'),
    params: entityParams,
    query: z.strictObject({}),
    handle: async ({ deps, params }) => ({ data: [await distributionOf(deps, params)] }),
  }),
  POST: route({
    doc: {
      id: 'distributeEntity',
      summary: 'Move the records of an entity between the nodes',
      description:
        'All or nothing; readers and writers of the entity wait meanwhile. The definition says it from then on. `GET …/distribution` shows the progress. Without a cluster only the definition changes.',
      responses: { 200: distributionChange },
      fails: ['unprocessable', 'conflict', 'method_not_allowed'],
      example: { distribution: { by: 'id' } },
    },
    access: definitionAccess('plugins:install'),
    params: entityParams,
    query: distributionQuery,
    body: distributionBody,
    handle: async ({ deps, actor, requestId, params, query, body }) => ({
      data: [await distributeEntity(deps, { ...params, ...query, ...body, actor, requestId })],
    }),
  }),
})
