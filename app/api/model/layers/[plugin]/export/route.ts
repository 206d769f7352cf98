import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { exportLayer } from '@/lib/lifecycle/list-layers'
import { layerParams } from '@/lib/lifecycle/model-contract'
import { raw } from '@/lib/openapi/responses'

/** A plugin with its local changes as an archive. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'exportModelLayer',
      summary: 'Export local changes of a plugin',
      description:
        'An archive without records: the definitions of the plugin as they are here. Installed over the author’s version on another server, it makes the same changes there, which later versions of the author are merged with.',
      responses: { 200: raw('application/zip', { headers: ['Content-Disposition'] }) },
      fails: ['conflict'],
    },
    access: 'plugins:read',
    params: layerParams,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, params }) => {
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const input = { plugin: params.plugin, actor, signal: stop.signal }
      return download(await exportLayer(deps, input), { stop, log: deps.log, requestId })
    },
  }),
})
