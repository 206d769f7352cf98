import { z } from 'zod'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { changeRecord } from '@/lib/records/change-record'
import {
  deletionMeta,
  effected,
  record,
  recordBody,
  recordFields,
  recordParams,
  recordQuery,
} from '@/lib/records/contract'
import { deleteRecord } from '@/lib/records/delete-record'
import { readRecord } from '@/lib/records/read-record'
import { refuseSystemEntity } from '@/lib/registry/may-read'
import { parseExpandText } from '@/lib/search/parse-expand-text'
import { parseFieldsText } from '@/lib/search/parse-search-text'
import { deleteRecordQuery } from '@/lib/trash/contract'

const SYSTEM_ALLOWS = 'GET, HEAD, OPTIONS'

const read = route({
  doc: {
    id: 'readRecord',
    summary: 'Read a record',
    description: 'The `ETag` is that of the whole record, whatever `fields` and `expand` select.',
    responses: { 200: listOf(recordFields, { headers: ['ETag'] }) },
    headers: ['X-Engine-View-As'],
  },
  guests: true,
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: recordParams,
  query: recordQuery,
  handle: async ({ deps, actor, params, query }) => {
    const { data, etag } = await readRecord(deps, {
      ...params,
      fields: parseFieldsText(query.fields),
      expand: parseExpandText(query.expand),
      reader: actor,
    })
    return { data: new JsonText(data), headers: { ETag: etag } }
  },
})

const CHANGE = {
  responses: { 200: listOf(record, { headers: ['ETag'] }) },
  fails: ['conflict', 'precondition_failed', 'method_not_allowed'],
  headers: ['If-Match'],
} as const

/** PUT replaces or merges, as the entity's `updateStrategy` has it; PATCH merges. */
const change = (manner: 'merge' | 'byDefinition') =>
  route({
    doc:
      manner === 'merge'
        ? {
            id: 'changeRecord',
            summary: 'Change fields of a record',
            description:
              'Fields that are not given keep their values; an undeclared field that is null is removed.',
            ...CHANGE,
          }
        : {
            id: 'replaceRecord',
            summary: 'Replace a record',
            description:
              'Sets all fields or the given ones, by the `updateStrategy` of the entity.',
            ...CHANGE,
          },
    guests: true,
    access: ({ entityName }) => {
      refuseSystemEntity(entityName, SYSTEM_ALLOWS)
      return { entity: entityName, action: 'update' }
    },
    params: recordParams,
    query: z.strictObject({}),
    body: recordBody(manner === 'merge' ? 'Change' : 'Replacement'),
    exactNumbers: true,
    handle: async ({ request, deps, actor, requestId, params, body: record }) => {
      const ifMatch = request.headers.get('if-match')
      const input = { ...params, record, manner, ifMatch, actor, requestId }
      const { data, etag } = await changeRecord(deps, input)
      return { data: new JsonText(data), ...(etag === null ? {} : { headers: { ETag: etag } }) }
    },
  })

const remove = route({
  doc: {
    id: 'deleteRecord',
    summary: 'Delete a record',
    responses: { 200: listOf(effected, { meta: deletionMeta }) },
    fails: ['conflict', 'precondition_failed', 'method_not_allowed'],
    headers: ['If-Match'],
  },
  guests: true,
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, SYSTEM_ALLOWS)
    return { entity: entityName, action: 'delete' }
  },
  params: recordParams,
  query: deleteRecordQuery,
  handle: async ({ request, deps, actor, requestId, params, query }) => {
    const ifMatch = request.headers.get('if-match')
    const input = { ...params, ...query, ifMatch, actor, requestId }
    const { count, batchId, effects } = await deleteRecord(deps, input)
    const shown = effects.length > 0 ? { effects } : {}
    return { data: [{ effected: count }], meta: { ...(query.undo ? { batchId } : {}), ...shown } }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: read,
  PUT: change('byDefinition'),
  PATCH: change('merge'),
  DELETE: remove,
})
