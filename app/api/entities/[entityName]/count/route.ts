import { z } from 'zod'
import { countBody, countQuery, entityParams } from '@/lib/entities/contract'
import { countRecords } from '@/lib/entities/count-records'
import { requireSameEntity } from '@/lib/entities/require-same-entity'
import { conditionsOfBody, conditionsOfFilter } from '@/lib/entities/search/read-input'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/answers'
import { count } from '@/lib/wire-types'

const countByUrl = route({
  doc: {
    id: 'countRecords',
    summary: 'Count records',
    answers: { 200: listOf(z.object({ count })) },
  },
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
    answers: { 200: listOf(z.object({ count })) },
  },
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
