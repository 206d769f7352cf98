import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { pageOf, systemRecord } from '@/lib/openapi/responses'
import { searchQuery } from '@/lib/search/contract'
import { inputOfQuery } from '@/lib/search/read-input'
import { searchRecords } from '@/lib/search/search-records'

/** Users, searched as every entity. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listUsers',
      summary: 'List the users',
      responses: { 200: pageOf(systemRecord('EngineUsers')) },
    },
    access: 'users:manage',
    query: searchQuery,
    handle: async ({ deps, query }) => {
      const { data, ...rest } = await searchRecords(deps, 'EngineUsers', inputOfQuery(query))
      return { data: new JsonText(data), ...rest }
    },
  }),
})
