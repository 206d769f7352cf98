import { methods, route } from '@/lib/http/route'
import { history, historyParams, toHistory } from '@/lib/installs/contract'
import { getInstall } from '@/lib/installs/store'

/** One install, running or done. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readInstall',
      summary: 'Read an installation',
      description: 'Running or done.',
      responses: { 200: history },
    },
    access: 'plugins:read',
    params: historyParams,
    handle: async ({ deps, params }) => ({
      data: [toHistory(await getInstall(deps.db, params.id))],
    }),
  }),
})
