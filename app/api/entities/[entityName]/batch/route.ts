import { z } from 'zod'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { changeRecords } from '@/lib/records/change-records'
import {
  blocker,
  deletionMeta,
  editMeta,
  effected,
  record,
  recordsBody,
} from '@/lib/records/contract'
import { createRecords } from '@/lib/records/create-records'
import { deleteBatch, ignoredProperties } from '@/lib/records/delete-batch'
import { anyEffects } from '@/lib/records/delete-linked'
import { editBatch } from '@/lib/records/edit-batch'
import { refuseSystemEntity } from '@/lib/registry/may-read'
import {
  deleteBatchBody,
  deleteBatchQuery,
  editBatchBody,
  editBatchQuery,
  entityParams,
} from '@/lib/search/contract'
import { conditionsOfBody, requireSameEntity } from '@/lib/search/read-input'
import type { Json } from '@/lib/values/json'
import { count } from '@/lib/values/wire-types'

const changedMeta = z.object({ updated: count, unchanged: count })
const createdMeta = changedMeta.extend({ created: count })

const create = route({
  doc: {
    id: 'createRecords',
    summary: 'Create many records, all or none',
    responses: {
      200: listOf(record, { meta: createdMeta }),
      201: listOf(record, { meta: createdMeta }),
    },
    fails: ['conflict', 'method_not_allowed'],
  },
  guests: true,
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, 'OPTIONS')
    return { entity: entityName, action: 'write' }
  },
  params: entityParams,
  query: z.strictObject({}),
  body: recordsBody('New'),
  exactNumbers: true,
  handle: async ({ deps, actor, requestId, params, body }) => {
    const input = { ...params, records: body as Json[], naming: 'batch', actor, requestId } as const
    const { data, counts } = await createRecords(deps, input)
    const { failed: _, ...meta } = counts
    return { data: new JsonText(data), status: counts.created > 0 ? 201 : 200, meta }
  },
})

const change = route({
  doc: {
    id: 'changeRecords',
    summary: 'Change many records, all or none',
    description: 'Each is identified by its own key.',
    responses: { 200: listOf(record, { meta: changedMeta }) },
    fails: ['conflict', 'method_not_allowed'],
  },
  guests: true,
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, 'OPTIONS')
    return { entity: entityName, action: 'update' }
  },
  params: entityParams,
  query: z.strictObject({}),
  body: recordsBody('Keyed'),
  exactNumbers: true,
  handle: async ({ deps, actor, requestId, params, body }) => {
    const input = { ...params, records: body as Json[], naming: 'batch', actor, requestId } as const
    const { data, counts } = await changeRecords(deps, input)
    return {
      data: new JsonText(data),
      meta: { updated: counts.updated, unchanged: counts.unchanged },
    }
  },
})

const batchMeta = deletionMeta.extend({
  ignored: z.array(z.string()).optional().meta({
    description:
      'Without conditions: properties of the body that were ignored, one of which may have been meant as `query`. What is deleted is then kept in the trash for 7 days, or as `undo` says',
  }),
  dryRun: z.literal(true).optional(),
  blockedBy: z.array(blocker).optional().meta({
    description:
      'Of a dry run: references to matching records, for which the deletion would fail with 409',
  }),
})

const remove = route({
  doc: {
    id: 'deleteRecords',
    summary: 'Delete all matching records',
    description:
      'Without `query` **all** records are deleted; when the body has other properties then, which are ignored, they are kept in the trash for 7 days. An invalid condition deletes nothing. Conditions, `dryRun` and `expected` also need the right to read.',
    responses: {
      200: listOf(effected, { meta: batchMeta }),
    },
    fails: ['conflict', 'method_not_allowed'],
  },
  guests: true,
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, 'OPTIONS')
    return { entity: entityName, action: 'delete' }
  },
  params: entityParams,
  query: deleteBatchQuery,
  body: deleteBatchBody,
  exactNumbers: true,
  load: 'heavy',
  endsWithClient: true,
  handle: async ({ deps, actor, requestId, params: { entityName }, query, body }) => {
    requireSameEntity(body.entity, entityName)
    const selection = { entityName, ...conditionsOfBody(body), ...query }
    const ignored = selection.conditions.length === 0 ? ignoredProperties(body) : []
    const {
      count: effectedCount,
      batchId,
      blockedBy,
      effects,
    } = await deleteBatch(deps, {
      ...selection,
      ignored,
      actor,
      requestId,
    })
    const data = [{ effected: effectedCount }]
    const isIgnoring = ignored.length > 0
    const shown = { ...(isIgnoring ? { ignored } : {}), ...anyEffects({ effects }) }
    if (query.dryRun)
      return {
        data,
        meta: { dryRun: true, ...(blockedBy.length > 0 ? { blockedBy } : {}), ...shown },
      }
    return { data, meta: { ...(query.undo || isIgnoring ? { batchId } : {}), ...shown } }
  },
})

const edit = route({
  doc: {
    id: 'editRecords',
    summary: 'Set fields of all matching records',
    description:
      'Without `query` **all** records are changed. All or none: an invalid condition, or a record that would become invalid, changes nothing. Conditions, `dryRun`, `expected`, `undo` and values made of stored ones also need the right to read.',
    responses: { 200: listOf(effected, { meta: editMeta }) },
    fails: ['conflict', 'method_not_allowed'],
  },
  guests: true,
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, 'OPTIONS')
    return { entity: entityName, action: 'update' }
  },
  params: entityParams,
  query: editBatchQuery,
  body: editBatchBody,
  exactNumbers: true,
  load: 'heavy',
  endsWithClient: true,
  handle: async ({ deps, actor, requestId, params: { entityName }, query, body }) => {
    requireSameEntity(body.entity, entityName)
    const input = { entityName, ...conditionsOfBody(body), set: body.set, ...query }
    const { count, updated, unchanged, batchId, sample } = await editBatch(deps, {
      ...input,
      actor,
      requestId,
    })
    const meta = {
      ...{ updated, unchanged },
      ...(query.dryRun ? { dryRun: true, sample } : query.undo ? { batchId } : {}),
    }
    return { data: [{ effected: count }], meta }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: create,
  PUT: change,
  PATCH: edit,
  DELETE: remove,
})
