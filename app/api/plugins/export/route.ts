import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { exportBody } from '@/lib/lifecycle/contract'
import { exportSelection } from '@/lib/lifecycle/export-plugin'
import { raw } from '@/lib/openapi/responses'

/** A new plugin from what is installed, as an archive. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'exportEntities',
      summary: 'Export entities as a new plugin',
      description:
        'A stream: an archive with the entities, their schemas and the records that match, and the named roles and policies. Nothing is installed or changed here.',
      responses: { 200: raw('application/zip', { headers: ['Content-Disposition'] }) },
    },
    access: 'plugins:read',
    body: exportBody,
    exactNumbers: true,
    readOnly: true,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, body }) => {
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const file = await exportSelection(deps, { body, actor, signal: stop.signal })
      return download(file, { stop, log: deps.log, requestId })
    },
  }),
})
