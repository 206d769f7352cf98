import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { findToken, makeToken, revokeToken } from '@/lib/scim/change-token'
import { newScimToken, scimToken } from '@/lib/scim/contract'

/** The credential of the identity provider. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readScimToken',
      summary: 'Read the SCIM token',
      description: 'An empty list while there is none, and SCIM is off.',
      responses: { 200: scimToken },
    },
    access: 'security:manage',
    handle: async ({ deps }) => {
      const found = await findToken(deps.db)
      return { data: found ? [found] : [] }
    },
  }),
  POST: route({
    doc: {
      id: 'makeScimToken',
      summary: 'Make the SCIM token',
      description:
        'A token that there is stops working at once. Only this response contains the token. Needs all rights: an identity provider may make administrators.',
      responses: { 201: newScimToken },
    },
    access: 'security:manage',
    handle: async ({ deps, actor, requestId }) => ({
      data: [await makeToken(deps, { actor, requestId })],
      status: 201,
    }),
  }),
  DELETE: route({
    doc: {
      id: 'revokeScimToken',
      summary: 'Revoke the SCIM token',
      description: 'SCIM is off from then on, and accounts can be changed by hand again.',
      responses: { 200: listOf(z.never()) },
    },
    access: 'security:manage',
    handle: async ({ deps, actor, requestId }) => {
      await revokeToken(deps, { actor, requestId })
      return { data: [] }
    },
  }),
})
