import { deleteBatchBody, deleteBatchQuery, entityParams } from '@/lib/entities/contract'
import { deleteBatch } from '@/lib/entities/delete-batch'
import { refuseSystemEntity } from '@/lib/entities/find-target'
import { requireSameEntity } from '@/lib/entities/require-same-entity'
import { conditionsOfBody } from '@/lib/entities/search/read-input'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

const remove = route({
  access: ({ entityName }) => {
    refuseSystemEntity(entityName, 'OPTIONS')
    return { entity: entityName, action: 'delete' }
  },
  params: entityParams,
  query: deleteBatchQuery,
  body: deleteBatchBody,
  handle: async ({ deps, actor, requestId, params: { entityName }, query, body }) => {
    requireSameEntity(body.entity, entityName)
    const selection = { entityName, ...conditionsOfBody(body), ...query }
    const effected = await deleteBatch(deps, { ...selection, actor, requestId })
    return { data: [{ effected }], meta: query.dryRun ? { dryRun: true } : {} }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: remove })
