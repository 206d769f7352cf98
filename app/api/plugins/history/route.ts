import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { pageOf, systemRecord } from '@/lib/openapi/responses'
import { searchQuery } from '@/lib/search/contract'
import { inputOfQuery } from '@/lib/search/read-input'
import type { SearchInput } from '@/lib/search/search-input'
import { searchRecords } from '@/lib/search/search-records'

/** The installs, searched like an entity; by default the newest first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listInstalls',
      summary: 'List the installations',
      description: 'The newest first, unless `sort` says otherwise.',
      responses: { 200: pageOf(systemRecord('EnginePluginHistory')) },
    },
    access: 'plugins:read',
    query: searchQuery,
    handle: async ({ deps, query }) => {
      const input = inputOfQuery(query)
      const sort = input.sort.length > 0 ? input.sort : NEWEST_FIRST
      const { data, ...rest } = await searchRecords(deps, 'EnginePluginHistory', { ...input, sort })
      return { data: new JsonText(data), ...rest }
    },
  }),
})

const NEWEST_FIRST: SearchInput['sort'] = [{ field: 'startedAt', direction: 'desc' }]
