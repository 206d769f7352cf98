import { methods, route } from '@/lib/http/route'
import { cancelInstall } from '@/lib/installs/cancel-install'
import { history, historyParams, toHistory } from '@/lib/installs/contract'

/** Ends a running install. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'cancelInstall',
      summary: 'Cancel an installation',
      description:
        'On whichever instance it runs. Files that were installed before stay, and the one that is being installed is rolled back; with `mode=atomic` all are. The history says who cancelled it (`cancelledBy`). 409 once it is over.',
      responses: { 200: history },
      fails: ['conflict'],
    },
    access: 'plugins:install',
    params: historyParams,
    handle: async ({ deps, actor, requestId, params }) => ({
      data: [toHistory(await cancelInstall(deps, params.id, { actor, requestId }))],
    }),
  }),
})
