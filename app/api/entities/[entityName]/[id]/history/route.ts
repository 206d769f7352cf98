import { historyMeta, historyQuery, recordVersion } from '@/lib/history/contract'
import { listHistory } from '@/lib/history/list-history'
import { JsonText } from '@/lib/http/envelope'
import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { recordParams } from '@/lib/records/contract'
import { type Json, stringifyExactly } from '@/lib/values/json'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listRecordHistory',
      summary: 'List what happened to a record',
      description:
        'Newest first: who did what, when, and which fields it changed. Of every change where the definition of the entity has `"history": true`. The `ETag` is that of the present record, for restoring a version.',
      responses: {
        200: listOf(recordVersion, { meta: historyMeta, paged: true, headers: ['ETag'] }),
      },
      headers: ['X-Engine-View-As'],
    },
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: recordParams,
    query: historyQuery,
    handle: async ({ deps, actor, params, query }) => {
      const { versions, total, meta, etag } = await listHistory(deps, {
        ...params,
        ...query,
        actor,
      })
      return {
        data: new JsonText(stringifyExactly(versions as unknown as Json)),
        meta,
        pagination: paginate(query, total),
        ...(etag === null ? {} : { headers: { ETag: etag } }),
      }
    },
  }),
})
