import { methods, route } from '@/lib/http/route'
import { listDefinitions } from '@/lib/lifecycle/list-definitions'
import { definitionsQuery, pluginDefinition } from '@/lib/lifecycle/model-contract'

/** Types, roles and policies as files of plugins have them. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listDefinitions',
      summary: 'List types, roles or policies as definitions',
      description:
        'As files of plugins have them, by name, the first 1,000: changed, `POST /api/model/plan` says what they would do, and `POST /api/model/apply` does it.',
      responses: { 200: pluginDefinition },
    },
    access: 'plugins:read',
    query: definitionsQuery,
    handle: async ({ deps, query }) => ({ data: await listDefinitions(deps, query) }),
  }),
})
