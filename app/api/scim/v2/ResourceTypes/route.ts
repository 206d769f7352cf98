import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { resourceList, resourceQuery } from '@/lib/scim/contract'
import { resourceTypes, wholeList } from '@/lib/scim/discovery'
import { baseOf, scimDoc, scimReply } from '../../reply'
import { scimMethods } from '../../scim-methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: route({
    doc: {
      id: 'listScimResourceTypes',
      summary: 'List the SCIM resource types',
      responses: { 200: scimDoc(resourceList) },
    },
    access: 'scim',
    query: resourceQuery,
    formatError: scimErrorResponse,
    handle: async ({ deps }) => scimReply(wholeList(resourceTypes(baseOf(deps)))),
  }),
})
