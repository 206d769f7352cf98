import { respondWithChanges } from '@/app/api/changes/respond-with-changes'
import { changesMeta, changesQuery, recordChange } from '@/lib/events/contract'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { entityParams } from '@/lib/search/contract'

/** What happens to the records of an entity, as a list or as a stream. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'followRecordChanges',
      summary: 'Follow the changes of the records of an entity',
      description:
        'In the order of their transactions, as the caller may see them now; each at least once, none of what was rolled back. Without `since` it returns a cursor of this moment: get one, read or export the records, then follow from it. With `Accept: text/event-stream` a stream of server-sent events `change`; `Last-Event-ID` goes on after one. A cursor whose changes are no longer kept is 410.',
      responses: { 200: listOf(recordChange, { meta: changesMeta }) },
      fails: ['conflict', 'expired'],
      headers: ['Last-Event-ID'],
    },
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    query: changesQuery,
    load: 'light',
    handle: ({ deps, params, query, request }) =>
      respondWithChanges(deps, request, { ...query, entityNames: [params.entityName] }),
  }),
})
