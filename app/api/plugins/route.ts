import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { pageOf, systemRecord } from '@/lib/openapi/responses'
import { searchQuery } from '@/lib/search/contract'
import { inputOfQuery } from '@/lib/search/read-input'
import { searchRecords } from '@/lib/search/search-records'

/** The installed plugins, searched like an entity. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listPlugins',
      summary: 'List the installed plugins',
      responses: { 200: pageOf(systemRecord('EnginePlugins')) },
    },
    access: 'plugins:read',
    query: searchQuery,
    handle: async ({ deps, query }) => {
      const { data, ...rest } = await searchRecords(deps, 'EnginePlugins', inputOfQuery(query))
      return { data: new JsonText(data), ...rest }
    },
  }),
})
