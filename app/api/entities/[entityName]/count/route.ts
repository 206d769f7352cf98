import { countBody, countQuery, entityParams } from '@/lib/entities/contract'
import { countRecords } from '@/lib/entities/count-records'
import { requireSameEntity } from '@/lib/entities/require-same-entity'
import { conditionsOfBody, conditionsOfFilter } from '@/lib/entities/search/read-input'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

const countByUrl = route({
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  query: countQuery,
  handle: async ({ deps, actor, params: { entityName }, query: { filter } }) => {
    const count = await countRecords(deps, entityName, conditionsOfFilter(filter), actor)
    return { data: [{ count }] }
  },
})

const countByBody = route({
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  body: countBody,
  readOnly: true,
  handle: async ({ deps, actor, params: { entityName }, body }) => {
    requireSameEntity(body.entity, entityName)
    const count = await countRecords(deps, entityName, conditionsOfBody(body), actor)
    return { data: [{ count }] }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: countByUrl,
  POST: countByBody,
})
