import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { USER_SCHEMA } from '@/lib/scim/attributes'
import { createScimUser } from '@/lib/scim/change-users'
import { listQuery, resourceBody, resourceList, resourceQuery } from '@/lib/scim/contract'
import { listResponse } from '@/lib/scim/discovery'
import { parseFilter } from '@/lib/scim/parse-filter'
import { project, readSelection } from '@/lib/scim/project'
import { toUserResource, versionOf } from '@/lib/scim/user-resource'
import { listUserViews } from '@/lib/scim/user-view'
import { baseOf, callerOf, resourceReply, scimDoc, scimReply } from '../../reply'
import { scimMethods } from '../../scim-methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: route({
    doc: {
      id: 'listScimUsers',
      summary: 'List the users for an identity provider',
      description: 'All accounts; `filter` as RFC 7644 has it.',
      responses: { 200: scimDoc(resourceList) },
    },
    access: 'scim',
    query: listQuery,
    formatError: scimErrorResponse,
    handle: async ({ deps, query }) => {
      const filter = query.filter === undefined ? null : parseFilter(query.filter)
      const { total, found } = await listUserViews(deps.db, filter, query)
      const selection = readSelection(query, USER_SCHEMA)
      const shown = found.map((view) => project(toUserResource(view, baseOf(deps)), selection))
      return scimReply(listResponse(shown, { total, startIndex: query.startIndex }))
    },
  }),
  POST: route({
    doc: {
      id: 'createScimUser',
      summary: 'Create a user for an identity provider',
      description: 'The account has no password and can sign in at once by single sign-on.',
      responses: { 201: scimDoc(undefined, { headers: ['ETag', 'Location'] }) },
      fails: ['conflict'],
      example: { userName: 'jane@example.com', displayName: 'Jane Doe', active: true },
    },
    access: 'scim',
    query: resourceQuery,
    body: resourceBody,
    formatError: scimErrorResponse,
    handle: async (input) => {
      const { request, deps, query, body } = input
      const made = await createScimUser(deps, body, callerOf(input))
      const shown = project(made, readSelection(query, USER_SCHEMA))
      const created = `${baseOf(deps)}/Users/${made.id}`
      return resourceReply(request, shown, { version: versionOf(made), created })
    },
  }),
})
