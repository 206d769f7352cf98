import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { pluginParams } from '@/lib/installs/contract'
import { editBody, exportQuery } from '@/lib/lifecycle/contract'
import { exportEdited, exportPlugin } from '@/lib/lifecycle/export-plugin'
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
  POST: route({
    doc: {
      id: 'editPlugin',
      summary: 'Export an installed plugin with changed definitions',
      description:
        'The next version of the plugin as an archive, without records: its definitions as they are now, after the edits. Nothing is installed here; install the archive to see its plan, and to apply it. A renamed field keeps its values; indexes, rules, references, computed fields and policies of the plugin follow. `keep-history` turns the history of an entity on or off, `keep-events` the log of changes that clients follow.',
      responses: { 200: raw('application/zip', { headers: ['Content-Disposition'] }) },
      fails: ['conflict'],
    },
    access: 'plugins:read',
    params: pluginParams,
    body: editBody,
    readOnly: true,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, params, body }) => {
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const input = { pluginId: params.id, ...body, actor, signal: stop.signal }
      return download(await exportEdited(deps, input), { stop, log: deps.log, requestId })
    },
  }),
})
