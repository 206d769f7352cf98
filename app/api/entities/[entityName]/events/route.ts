import { methods, route } from '@/lib/http/route'
import { eventsBody, eventsChange, eventsQuery } from '@/lib/lifecycle/contract'
import { switchEvents } from '@/lib/lifecycle/switch-events'
import { definitionAccess } from '@/lib/registry/may-read'
import { entityParams } from '@/lib/search/contract'

/** Whether the changes of an entity's records can be followed. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route({
    doc: {
      id: 'switchEntityEvents',
      summary: 'Turn the log of changes of an entity on or off',
      description:
        'Installs the next version of its plugin, in which the definition says `events`: it is in the history, and can be rolled back. Nothing is done where it is so already. With `dryRun=true` it only says what would be done. On a Citus cluster it is refused, with the reason, for entities whose records are distributed.',
      responses: { 200: eventsChange },
      fails: ['unprocessable', 'conflict', 'method_not_allowed'],
      example: { enabled: true },
    },
    access: definitionAccess('plugins:install'),
    params: entityParams,
    query: eventsQuery,
    body: eventsBody,
    load: 'heavy',
    handle: async ({ deps, actor, requestId, request, params, query, body }) => {
      const { signal } = request
      const input = { ...params, ...query, ...body, actor, requestId, signal }
      return { data: [await switchEvents(deps, input)] }
    },
  }),
})
