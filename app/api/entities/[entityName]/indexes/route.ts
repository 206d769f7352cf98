import { z } from 'zod'
import { addIndex } from '@/lib/advice/add-index'
import { addedIndex, indexBody } from '@/lib/advice/contract'
import { methods, route } from '@/lib/http/route'
import { definitionAccess } from '@/lib/registry/may-read'
import { entityParams } from '@/lib/search/contract'

/** Adds an index to an entity; it is built in the background. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'createIndex',
      summary: 'Add an index',
      description:
        'It is built in the background without blocking writes; `GET …/advice` lists its state. It stays when the definition changes.',
      responses: { 202: addedIndex },
      fails: ['conflict', 'method_not_allowed'],
      example: { fields: ['city', { field: 'name', use: 'sort' }] },
    },
    access: definitionAccess('plugins:install'),
    params: entityParams,
    query: z.strictObject({}),
    body: indexBody,
    handle: async ({ deps, actor, requestId, params, body }) => ({
      data: [await addIndex(deps, { ...params, body, actor, requestId })],
      status: 202,
    }),
  }),
})
