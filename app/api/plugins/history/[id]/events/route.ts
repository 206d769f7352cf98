import { eventStream } from '@/lib/http/event-stream'
import { methods, route } from '@/lib/http/route'
import { historyParams } from '@/lib/installs/contract'
import { getInstall } from '@/lib/installs/store'
import { watchInstall } from '@/lib/installs/watch-install'
import { raw } from '@/lib/openapi/responses'

/** Server-sent events: `file` for each finished file, then `result`; `Last-Event-ID` continues. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'followInstall',
      summary: 'Follow an installation',
      description:
        'Server-sent events: `file` for each finished file (keys and values of stored records only where the caller may read them), `progress` for the counts, `result` at the end. `Last-Event-ID` continues after an event.',
      responses: { 200: raw('text/event-stream') },
      headers: ['Last-Event-ID'],
    },
    access: 'plugins:read',
    params: historyParams,
    handle: async ({ deps, actor, params, request }) => {
      await getInstall(deps.db, params.id)
      const watched = { id: params.id, after: lastEventId(request), actor }
      return eventStream(request, (signal) => watchInstall(deps, watched, signal))
    },
  }),
})

/** 0, which precedes all ids, for a value that can't be one. */
function lastEventId(request: Request): number {
  const id = Number(request.headers.get('last-event-id'))
  return Number.isSafeInteger(id) ? id : 0
}
