import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { countBody, countQuery, entityParams } from '@/lib/search/contract'
import { countRecords } from '@/lib/search/count-records'
import { conditionsOfBody, conditionsOfFilter, requireSameEntity } from '@/lib/search/read-input'
import { count } from '@/lib/values/wire-types'

const countByUrl = route({
  doc: {
    id: 'countRecords',
    summary: 'Count records',
    responses: { 200: listOf(z.object({ count })) },
    headers: ['X-Engine-Consistency', 'X-Engine-View-As'],
  },
  guests: true,
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  query: countQuery,
  load: 'heavy',
  handle: async ({ deps, actor, params: { entityName }, query: { filter } }) => {
    const found = await countRecords(deps, entityName, conditionsOfFilter(filter), actor)
    return { data: [{ count: found }] }
  },
})

const countByBody = route({
  doc: {
    id: 'countRecordsByBody',
    summary: 'Count records by a search object',
    responses: { 200: listOf(z.object({ count })) },
    headers: ['X-Engine-Consistency', 'X-Engine-View-As'],
  },
  guests: true,
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  body: countBody,
  exactNumbers: true,
  readOnly: true,
  load: 'heavy',
  handle: async ({ deps, actor, params: { entityName }, body }) => {
    requireSameEntity(body.entity, entityName)
    const found = await countRecords(deps, entityName, conditionsOfBody(body), actor)
    return { data: [{ count: found }] }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: countByUrl,
  POST: countByBody,
})
