import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { resourceQuery } from '@/lib/scim/contract'
import { serviceProviderConfig } from '@/lib/scim/discovery'
import { baseOf, scimDoc, scimReply } from '../../reply'
import { scimMethods } from '../../scim-methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: route({
    doc: {
      id: 'readScimConfiguration',
      summary: 'What SCIM can do here',
      responses: { 200: scimDoc() },
    },
    access: 'scim',
    query: resourceQuery,
    formatError: scimErrorResponse,
    handle: async ({ deps }) => scimReply(serviceProviderConfig(baseOf(deps))),
  }),
})
