import { route } from '@/lib/http/route'
import { scimErrorResponse } from '@/lib/http/scim-error-response'
import { nothing } from '@/lib/openapi/responses'
import { changeScimGroup, removeScimGroup, replaceScimGroup } from '@/lib/scim/change-groups'
import { patchBody, resourceBody, resourceParams, resourceQuery } from '@/lib/scim/contract'
import { getGroupView, groupVersion } from '@/lib/scim/group-view'
import { groupReply } from '../../../group-reply'
import { callerOf, nothingLeft, scimDoc } from '../../../reply'
import { scimMethods } from '../../../scim-methods'

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
      id: 'readScimGroup',
      summary: 'Read a group of an identity provider',
      responses: { 200: one, 304: nothing('It is the version of `If-None-Match`', ['ETag']) },
      headers: ['If-None-Match'],
    },
    handle: async (input) => groupReply(input, await getGroupView(input.deps.db, input.params.id)),
  }),
  PUT: route({
    ...shared,
    doc: {
      id: 'replaceScimGroup',
      summary: 'Replace a group of an identity provider',
      responses: { 200: one },
      fails: ['conflict', 'precondition_failed'],
      headers: ['If-Match'],
    },
    body: resourceBody,
    handle: async (input) => {
      const { deps, params, body } = input
      return groupReply(input, await replaceScimGroup(deps, params.id, body, callerOf(input)))
    },
  }),
  PATCH: route({
    ...shared,
    doc: {
      id: 'changeScimGroup',
      summary: 'Change a group of an identity provider',
      description:
        'All operations or none; changes at the same time do not lose members. 204, or the group where `attributes` asks for some.',
      responses: { 200: one, 204: nothing('Changed', ['ETag']) },
      fails: ['conflict', 'precondition_failed'],
      headers: ['If-Match'],
    },
    body: patchBody,
    handle: async (input) => {
      const { deps, params, query, body } = input
      const changed = await changeScimGroup(deps, params.id, body, callerOf(input))
      if (query.attributes) return groupReply(input, changed)
      // Groups are large, and this is how members come and go.
      return new Response(null, { status: 204, headers: { ETag: groupVersion(changed) } })
    },
  }),
  DELETE: route({
    ...shared,
    doc: {
      id: 'deleteScimGroup',
      summary: 'Delete a group of an identity provider',
      responses: { 204: nothing('Deleted') },
      fails: ['conflict', 'precondition_failed'],
      headers: ['If-Match'],
    },
    handle: async (input) => {
      await removeScimGroup(input.deps, input.params.id, callerOf(input))
      return nothingLeft()
    },
  }),
})
