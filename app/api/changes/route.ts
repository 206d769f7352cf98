import { changesMeta, changesOfManyQuery, recordChange } from '@/lib/events/contract'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { respondWithChanges } from './respond-with-changes'

/** What happens to the records of several entities, in one order. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'followChanges',
      summary: 'Follow the changes of the records of several entities',
      description:
        'As of one entity, in the order of their transactions. A cursor of one of them is one of all; each must be one that the caller may read.',
      responses: { 200: listOf(recordChange, { meta: changesMeta }) },
      fails: ['forbidden', 'not_found', 'conflict', 'expired'],
      headers: ['Last-Event-ID'],
    },
    access: 'signed-in',
    query: changesOfManyQuery,
    load: 'light',
    handle: ({ deps, query: { entities, ...query }, request }) =>
      respondWithChanges(deps, request, { ...query, filter: '', entityNames: entities }),
  }),
})
