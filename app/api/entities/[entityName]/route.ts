import { z } from 'zod'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { listOf, pageOf } from '@/lib/openapi/responses'
import { changeRecords } from '@/lib/records/change-records'
import { record, recordBody, recordFields } from '@/lib/records/contract'
import { createRecords } from '@/lib/records/create-records'
import { refuseSystemEntity } from '@/lib/registry/may-read'
import { entityParams, searchQuery } from '@/lib/search/contract'
import { inputOfQuery } from '@/lib/search/read-input'
import { searchRecords } from '@/lib/search/search-records'

const search = route({
  doc: {
    id: 'listRecords',
    summary: 'List records',
    description: 'The search in the URL is equivalent to the search object.',
    responses: { 200: pageOf(recordFields, { headers: ['X-Engine-Changes-Cursor'] }) },
    headers: ['X-Engine-Consistency', 'X-Engine-View-As'],
  },
  guests: true,
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  query: searchQuery,
  load: 'heavy',
  handle: async ({ deps, actor, params, query }) => {
    const input = inputOfQuery(query)
    const { data, ...rest } = await searchRecords(deps, params.entityName, input, actor)
    return { data: new JsonText(data), ...rest }
  },
})

const SYSTEM_ALLOWS = 'GET, HEAD, OPTIONS'

const create = route({
  doc: {
    id: 'createRecord',
    summary: 'Create a record',
    responses: {
      200: listOf(record, {
        description: 'It already existed, and `insertDuplicate` skips it',
      }),
      201: record,
    },
    fails: ['conflict', 'method_not_allowed'],
  },
  guests: true,
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, SYSTEM_ALLOWS)
    return { entity: entityName, action: 'write' }
  },
  params: entityParams,
  query: z.strictObject({}),
  body: recordBody('New'),
  exactNumbers: true,
  handle: async ({ deps, actor, requestId, params, body }) => {
    const input = { ...params, records: [body], naming: 'single', actor, requestId } as const
    const { data, counts } = await createRecords(deps, input)
    return { data: new JsonText(data), status: counts.created > 0 ? 201 : 200 }
  },
})

const change = route({
  doc: {
    id: 'changeRecordByKey',
    summary: 'Change a record identified by its key',
    description: 'Sets the given fields or all, by the `updateStrategy` of the entity.',
    responses: { 200: record },
    fails: ['conflict', 'method_not_allowed'],
  },
  guests: true,
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, SYSTEM_ALLOWS)
    return { entity: entityName, action: 'update' }
  },
  params: entityParams,
  query: z.strictObject({}),
  body: recordBody('Keyed'),
  exactNumbers: true,
  handle: async ({ deps, actor, requestId, params, body }) => {
    const input = { ...params, records: [body], naming: 'single', actor, requestId } as const
    const { data } = await changeRecords(deps, input)
    return { data: new JsonText(data) }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: search,
  POST: create,
  PUT: change,
})
