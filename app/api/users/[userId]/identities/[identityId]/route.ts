import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { unlinkIdentity } from '@/lib/users/identities'
import { identity, identityParams } from '@/lib/users/identity-contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    doc: {
      id: 'unlinkIdentity',
      summary: 'Unlink a user from a provider',
      description:
        "Ends the user's sessions. The next sign-in by the provider links again, by the rules for a first one.",
      responses: { 200: listOf(identity.pick({ identityId: true })) },
    },
    access: 'users:manage',
    params: identityParams,
    handle: async ({ deps, actor, requestId, params }) => {
      await unlinkIdentity(deps, params, { actor, requestId })
      return { data: [{ identityId: params.identityId }] }
    },
  }),
})
