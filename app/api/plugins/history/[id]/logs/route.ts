import { methods } from '@/lib/http/methods'
import { paginate } from '@/lib/http/paginate'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { historyParams, loggedFile, logsQuery } from '@/lib/plugins/contract'
import { getInstall, listFiles } from '@/lib/plugins/store'

/** The outcome of each file of an install, in the order of processing. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listInstalledFiles',
      summary: 'List the outcome of each file of an installation',
      description: 'In the order of processing.',
      responses: { 200: listOf(loggedFile, { paged: true }) },
    },
    access: 'plugins:read',
    params: historyParams,
    query: logsQuery,
    handle: async ({ deps, params, query }) => {
      await getInstall(deps.db, params.id)
      const { files, total } = await listFiles(deps.db, params.id, query)
      return { data: files, pagination: paginate(query, total) }
    },
  }),
})
