import { AppError } from '@/lib/errors'
import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { resourceParams, resourceQuery } from '@/lib/scim/contract'
import { resourceTypes } from '@/lib/scim/discovery'
import { baseOf, scimDoc, scimReply } from '../../../reply'
import { scimMethods } from '../../../scim-methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: route({
    doc: {
      id: 'readScimResourceType',
      summary: 'Read a SCIM resource type',
      responses: { 200: scimDoc() },
    },
    access: 'scim',
    params: resourceParams,
    query: resourceQuery,
    formatError: scimErrorResponse,
    handle: async ({ deps, params }) => {
      const found = resourceTypes(baseOf(deps)).find(({ id }) => id === params.id)
      if (!found) throw new AppError('not_found', 'There is no resource type with this name')
      return scimReply(found)
    },
  }),
})
