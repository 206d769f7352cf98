import { z } from 'zod'
import { JSON_HEADERS } from '@/lib/http/envelope'
import { pluginErrorResponse } from '@/lib/http/errors'
import { methods, route } from '@/lib/http/route'
import { historyParams, rollbackBody, rollbackQuery } from '@/lib/installs/contract'
import { installResponse, planResponse } from '@/lib/installs/plan-contract'
import { rollbackInstall } from '@/lib/lifecycle/rollback-install'
import { rollbackPlanResponse, rollbackResponse } from '@/lib/lifecycle/rollback-response'
import { json } from '@/lib/openapi/responses'

/** Undoes the last install of a plugin, or with `dryRun=true` reports what that would do. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'rollbackInstall',
      summary: 'Roll an installation back',
      description:
        'The last one of its plugin, then the one before. Created records go to the trash, changed and deleted ones and definitions are as before. The rollback is in the history and can be rolled back itself. Responses are those of an install.',
      responses: { 200: json(z.union([installResponse, planResponse])) },
      fails: ['forbidden', 'conflict'],
    },
    access: 'plugins:install',
    params: historyParams,
    query: rollbackQuery,
    body: rollbackBody,
    optionalBody: true,
    formatError: pluginErrorResponse,
    handle: async ({ deps, params, query, body: { decisions }, actor, requestId }) => {
      const outcome = await rollbackInstall(deps, {
        ...query,
        ...params,
        decisions,
        actor,
        requestId,
      })
      const body = query.dryRun ? rollbackPlanResponse(outcome) : rollbackResponse(outcome)
      return Response.json(body, { headers: JSON_HEADERS })
    },
  }),
})
