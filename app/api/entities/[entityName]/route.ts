import { entityParams, searchQuery } from '@/lib/entities/contract'
import { inputOfQuery } from '@/lib/entities/search/read-input'
import { searchRecords } from '@/lib/entities/search-records'
import { JsonText } from '@/lib/http/envelope'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

const search = route({
  access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
  params: entityParams,
  query: searchQuery,
  handle: async ({ deps, params, query }) => {
    const { data, ...rest } = await searchRecords(deps, params.entityName, inputOfQuery(query))
    return { data: new JsonText(data), ...rest }
  },
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: search })
