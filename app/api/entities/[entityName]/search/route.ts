import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { pageOf } from '@/lib/openapi/responses'
import { recordFields } from '@/lib/records/contract'
import { entityParams, searchBody } from '@/lib/search/contract'
import { inputOfBody, requireSameEntity } from '@/lib/search/read-input'
import { searchRecords } from '@/lib/search/search-records'

const search = route({
  doc: {
    id: 'searchRecords',
    summary: 'Search records',
    description:
      'With `groupBy` the response holds groups: the fields grouped by, and a value for each function.',
    responses: { 200: pageOf(recordFields, { headers: ['X-Engine-Changes-Cursor'] }) },
    headers: ['X-Engine-Consistency', 'X-Engine-View-As'],
    example: { pagination: { size: 10 } },
  },
  guests: true,
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
