import { entityParams, searchBody } from '@/lib/entities/contract'
import { recordFields } from '@/lib/entities/records/contract'
import { requireSameEntity } from '@/lib/entities/require-same-entity'
import { inputOfBody } from '@/lib/entities/search/read-input'
import { searchRecords } from '@/lib/entities/search-records'
import { JsonText } from '@/lib/http/envelope'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { pageOf } from '@/lib/openapi/answers'

const search = route({
  doc: {
    id: 'searchRecords',
    summary: 'Search records',
    description:
      'With `groupBy` the answer holds groups: the fields grouped by, and a value for each function.',
    answers: { 200: pageOf(recordFields) },
    example: { pagination: { size: 10 } },
  },
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  body: searchBody,
  exactNumbers: true,
  readOnly: true,
  load: 'heavy',
  handle: async ({ deps, actor, params: { entityName }, body }) => {
    requireSameEntity(body.entity, entityName)
    const { data, ...rest } = await searchRecords(deps, entityName, inputOfBody(body), actor)
    return { data: new JsonText(data), ...rest }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: search })
