import { z } from 'zod'
import { entityParams, searchQuery } from '@/lib/entities/contract'
import { refuseSystemEntity } from '@/lib/entities/find-target'
import { changeRecords } from '@/lib/entities/records/change-records'
import { recordBody } from '@/lib/entities/records/contract'
import { createRecords } from '@/lib/entities/records/create-records'
import { inputOfQuery } from '@/lib/entities/search/read-input'
import { searchRecords } from '@/lib/entities/search-records'
import { JsonText } from '@/lib/http/envelope'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

const search = route({
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  query: searchQuery,
  handle: async ({ deps, actor, params, query }) => {
    const input = inputOfQuery(query)
    const { data, ...rest } = await searchRecords(deps, params.entityName, input, actor)
    return { data: new JsonText(data), ...rest }
  },
})

const SYSTEM_ALLOWS = 'GET, HEAD, OPTIONS'

const create = route({
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, SYSTEM_ALLOWS)
    return { entity: entityName, action: 'write' }
  },
  params: entityParams,
  query: z.strictObject({}),
  body: recordBody,
  handle: async ({ deps, actor, requestId, params, body }) => {
    const input = { ...params, records: [body], naming: 'single', actor, requestId } as const
    const { data, counts } = await createRecords(deps, input)
    return { data: new JsonText(data), status: counts.created > 0 ? 201 : 200 }
  },
})

const change = route({
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, SYSTEM_ALLOWS)
    return { entity: entityName, action: 'update' }
  },
  params: entityParams,
  query: z.strictObject({}),
  body: recordBody,
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
