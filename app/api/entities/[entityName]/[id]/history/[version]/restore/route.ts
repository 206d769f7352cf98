import { restoredMeta, restoreQuery, versionParams } from '@/lib/history/contract'
import { restoreVersion } from '@/lib/history/restore-version'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { record } from '@/lib/records/contract'
import { refuseSystemEntity } from '@/lib/registry/may-read'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'restoreRecordVersion',
      summary: 'Restore a version of a record',
      description:
        'Gives the record the values that it had after that change; a deleted record comes back as it was. Needs the rights to read it, and to change it or, when it is deleted, to create it. Checked like any change.',
      responses: { 200: listOf(record, { meta: restoredMeta, headers: ['ETag'] }) },
      fails: ['conflict', 'precondition_failed', 'method_not_allowed'],
      headers: ['If-Match'],
    },
    access: ({ entityName }) => {
      refuseSystemEntity(entityName, 'OPTIONS')
      return { entity: entityName, action: 'read' }
    },
    params: versionParams,
    query: restoreQuery,
    handle: async ({ request, deps, actor, requestId, params, query }) => {
      const ifMatch = request.headers.get('if-match')
      const restored = await restoreVersion(deps, {
        ...params,
        ...query,
        ifMatch,
        actor,
        requestId,
      })
      const { data, etag, created, leftOut, changes } = restored
      return {
        data: new JsonText(data),
        meta: { created, leftOut, changes },
        ...(etag === null ? {} : { headers: { ETag: etag } }),
      }
    },
  }),
})
