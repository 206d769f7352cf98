import { methods, route } from '@/lib/http/route'
import { writtenDefinition } from '@/lib/lifecycle/model-contract'
import { writtenDefinitionOf } from '@/lib/lifecycle/written-definition'
import { definitionAccess } from '@/lib/registry/may-read'
import { entityParams } from '@/lib/search/contract'

/** The definitions of an entity and of its schema. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'getDefinition',
      summary: 'Get the definitions of an entity',
      description:
        'As files of plugins have them: changed, `POST /api/model/plan` says what they would do, and `POST /api/model/apply` does it.',
      responses: { 200: writtenDefinition },
      fails: ['method_not_allowed'],
    },
    access: definitionAccess('plugins:read'),
    params: entityParams,
    handle: async ({ deps, params }) => ({
      data: [await writtenDefinitionOf(deps, params.entityName)],
    }),
  }),
})
