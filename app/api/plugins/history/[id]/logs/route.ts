import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { historyParams, loggedFile, logsQuery } from '@/lib/installs/contract'
import { getInstall, listFiles } from '@/lib/installs/store'
import { listOf } from '@/lib/openapi/responses'

/** The outcome of each file of an install, in the order of processing. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listInstalledFiles',
      summary: 'List the outcome of each file of an installation',
      description:
        'In the order of processing. Keys and values of stored records are left out where the caller may not read them.',
      responses: { 200: listOf(loggedFile, { paged: true }) },
    },
    access: 'plugins:read',
    params: historyParams,
    query: logsQuery,
    handle: async ({ deps, actor, params, query }) => {
      await getInstall(deps.db, params.id)
      const { files, total } = await listFiles(deps, { installId: params.id, actor }, query)
      return { data: files, pagination: paginate(query, total) }
    },
  }),
})
