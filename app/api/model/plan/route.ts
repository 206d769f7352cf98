import { JSON_HEADERS } from '@/lib/http/envelope'
import { modelErrorResponse } from '@/lib/http/errors'
import { methods, route } from '@/lib/http/route'
import { nothingInstalled, planResponse } from '@/lib/installs/plan-contract'
import { planModel } from '@/lib/lifecycle/apply-model'
import { modelBody } from '@/lib/lifecycle/model-contract'
import { json } from '@/lib/openapi/responses'
import { type Json, stringifyExactly } from '@/lib/values/json'

/** What definitions of entities and schemas would do. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'planModel',
      summary: 'Plan a change of the data model',
      description:
        'The plan of the next version of a plugin in which these definitions take the place of those of the same name, as `dryRun` of an install answers it. Nothing is written. A field that a schema no longer has keeps its values and is no longer returned; one with `renamedFrom` takes over the values of its former name. `edits` are made to the definitions as they are: fields are renamed wherever the plugin names them. `removed` entities go to the trash; types, roles and policies go with the next version while nothing uses them.',
      responses: {
        200: json(planResponse),
        422: json(nothingInstalled, { description: 'The dry run took too long' }),
      },
      fails: ['not_found', 'conflict'],
    },
    access: 'plugins:install',
    body: modelBody,
    readOnly: true,
    formatError: modelErrorResponse,
    load: 'heavy',
    handle: async ({ deps, actor, body, request: { signal }, requestId }) => {
      const planned = await planModel(deps, { ...body, actor, requestId, signal })
      return new Response(stringifyExactly(planned as Json), { headers: JSON_HEADERS })
    },
  }),
})
