import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { pageOf, systemRecord } from '@/lib/openapi/responses'
import { searchQuery } from '@/lib/search/contract'
import { inputOfQuery } from '@/lib/search/read-input'
import { searchRecords } from '@/lib/search/search-records'

/** The outbox, searched as every entity; without the contents of the mails. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listMails',
      summary: 'List the mails',
      description: 'The outbox, without the contents of the mails.',
      responses: { 200: pageOf(systemRecord('EngineEmails')) },
    },
    access: 'mail:manage',
    query: searchQuery,
    handle: async ({ deps, query }) => {
      const { data, ...rest } = await searchRecords(deps, 'EngineEmails', inputOfQuery(query))
      return { data: new JsonText(data), ...rest }
    },
  }),
})
