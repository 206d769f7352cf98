import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { createScimGroup } from '@/lib/scim/change-groups'
import { listQuery, resourceBody, resourceList, resourceQuery } from '@/lib/scim/contract'
import { listResponse } from '@/lib/scim/discovery'
import { listGroupViews } from '@/lib/scim/group-view'
import { parseFilter } from '@/lib/scim/parse-filter'
import { groupReply, showGroups } from '../../group-reply'
import { callerOf, scimDoc, scimReply } from '../../reply'
import { scimMethods } from '../../scim-methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: route({
    doc: {
      id: 'listScimGroups',
      summary: 'List the groups of an identity provider',
      description: 'With `excludedAttributes=members` no members are read.',
      responses: { 200: scimDoc(resourceList) },
    },
    access: 'scim',
    query: listQuery,
    formatError: scimErrorResponse,
    handle: async ({ deps, query }) => {
      const filter = query.filter === undefined ? null : parseFilter(query.filter)
      const { total, found } = await listGroupViews(deps.db, filter, query)
      const shown = await showGroups(deps, found, query)
      return scimReply(listResponse(shown, { total, startIndex: query.startIndex }))
    },
  }),
  POST: route({
    doc: {
      id: 'createScimGroup',
      summary: 'Create a group of an identity provider',
      responses: { 201: scimDoc(undefined, { headers: ['ETag', 'Location'] }) },
      fails: ['conflict'],
      example: { displayName: 'Engine editors', members: [] },
    },
    access: 'scim',
    query: resourceQuery,
    body: resourceBody,
    formatError: scimErrorResponse,
    handle: async (input) => {
      const made = await createScimGroup(input.deps, input.body, callerOf(input))
      return groupReply(input, made, { isNew: true })
    },
  }),
})
