import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { pluginParams } from '@/lib/installs/contract'
import { exportQuery } from '@/lib/lifecycle/contract'
import { exportPlugin } from '@/lib/lifecycle/export-plugin'
import { raw } from '@/lib/openapi/responses'

/** An installed plugin as an archive. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'exportPlugin',
      summary: 'Export an installed plugin',
      description:
        'A stream: an archive that installs again. Definitions are as they are now; records are in the order of their keys, one a line. The same content always makes the same bytes.',
      responses: { 200: raw('application/zip', { headers: ['Content-Disposition'] }) },
    },
    access: 'plugins:read',
    params: pluginParams,
    query: exportQuery,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, params, query }) => {
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const input = { pluginId: params.id, ...query, actor, signal: stop.signal }
      return download(await exportPlugin(deps, input), { stop, log: deps.log, requestId })
    },
  }),
})
