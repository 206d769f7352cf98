import { JSON_HEADERS } from '@/lib/http/envelope'
import { modelErrorResponse } from '@/lib/http/errors'
import { methods, route } from '@/lib/http/route'
import { installResponse, nothingInstalled } from '@/lib/installs/plan-contract'
import { applyModel } from '@/lib/lifecycle/apply-model'
import { applyQuery, modelBody } from '@/lib/lifecycle/model-contract'
import { json } from '@/lib/openapi/responses'

/** Changes definitions of entities and schemas. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'applyModel',
      summary: 'Change the data model',
      description:
        'Installs the next version of a plugin in which these definitions take the place of those of the same name, or to which the `edits` were made, all or nothing: it is in the history, and can be rolled back. With the `seal` of a plan, only while that holds; otherwise 409 says what has changed since. `removed` entities go to the trash with their tables, can be restored from there, and earlier versions of the plugin can no longer be rolled back; `removed` types, roles and policies are no longer in the next version, whose rollback brings them back.',
      responses: {
        200: json(installResponse),
        422: json(nothingInstalled, {
          description: 'A definition failed, so nothing was changed; the history says why',
        }),
      },
      fails: ['not_found', 'conflict'],
    },
    access: 'plugins:install',
    query: applyQuery,
    body: modelBody,
    formatError: modelErrorResponse,
    load: 'heavy',
    handle: async ({ deps, actor, query, body, request: { signal }, requestId }) => {
      const result = await applyModel(deps, { ...body, ...query, actor, requestId, signal })
      return Response.json(result, { status: result.status, headers: JSON_HEADERS })
    },
  }),
})
