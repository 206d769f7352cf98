import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { resourceList, resourceQuery } from '@/lib/scim/contract'
import { resourceSchemas, wholeList } from '@/lib/scim/discovery'
import { baseOf, scimDoc, scimReply } from '../../reply'
import { scimMethods } from '../../scim-methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: route({
    doc: {
      id: 'listScimSchemas',
      summary: 'List the SCIM schemas',
      responses: { 200: scimDoc(resourceList) },
    },
    access: 'scim',
    query: resourceQuery,
    formatError: scimErrorResponse,
    handle: async ({ deps }) => scimReply(wholeList(resourceSchemas(baseOf(deps)))),
  }),
})
