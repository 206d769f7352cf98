import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { nothing } from '@/lib/openapi/responses'
import { USER_SCHEMA } from '@/lib/scim/attributes'
import { changeScimUser, removeScimUser, replaceScimUser } from '@/lib/scim/change-users'
import {
  patchBody,
  type Resource,
  type ResourceQuery,
  resourceBody,
  resourceParams,
  resourceQuery,
} from '@/lib/scim/contract'
import { project, readSelection } from '@/lib/scim/project'
import { toUserResource, versionOf } from '@/lib/scim/user-resource'
import { getUserView } from '@/lib/scim/user-view'
import { baseOf, callerOf, nothingLeft, resourceReply, scimDoc } from '../../../reply'
import { scimMethods } from '../../../scim-methods'

const reply = (request: Request, user: Resource, query: ResourceQuery) =>
  resourceReply(request, project(user, readSelection(query, USER_SCHEMA)), {
    version: versionOf(user),
  })

const shared = {
  access: 'scim',
  params: resourceParams,
  query: resourceQuery,
  formatError: scimErrorResponse,
} as const

const one = scimDoc(undefined, { headers: ['ETag'] })

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: route({
    ...shared,
    doc: {
      id: 'readScimUser',
      summary: 'Read a user for an identity provider',
      responses: { 200: one, 304: nothing('It is the version of `If-None-Match`', ['ETag']) },
      headers: ['If-None-Match'],
    },
    handle: async ({ request, deps, params: { id }, query }) =>
      reply(request, toUserResource(await getUserView(deps.db, id), baseOf(deps)), query),
  }),
  PUT: route({
    ...shared,
    doc: {
      id: 'replaceScimUser',
      summary: 'Replace a user for an identity provider',
      responses: { 200: one },
      fails: ['conflict', 'precondition_failed'],
      headers: ['If-Match'],
    },
    body: resourceBody,
    handle: async (input) => {
      const { request, deps, params, query, body } = input
      return reply(request, await replaceScimUser(deps, params.id, body, callerOf(input)), query)
    },
  }),
  PATCH: route({
    ...shared,
    doc: {
      id: 'changeScimUser',
      summary: 'Change a user for an identity provider',
      description: 'All operations or none. `active: false` ends the sessions of the user at once.',
      responses: { 200: one },
      fails: ['conflict', 'precondition_failed'],
      headers: ['If-Match'],
    },
    body: patchBody,
    handle: async (input) => {
      const { request, deps, params, query, body } = input
      return reply(request, await changeScimUser(deps, params.id, body, callerOf(input)), query)
    },
  }),
  DELETE: route({
    ...shared,
    doc: {
      id: 'deleteScimUser',
      summary: 'Delete a user for an identity provider',
      responses: { 204: nothing('Deleted') },
      fails: ['conflict', 'precondition_failed'],
      headers: ['If-Match'],
    },
    handle: async (input) => {
      await removeScimUser(input.deps, input.params.id, callerOf(input))
      return nothingLeft()
    },
  }),
})
