import { methods, route } from '@/lib/http/route'
import { userParams } from '@/lib/users/contract'
import { readIdentities } from '@/lib/users/identities'
import { identity } from '@/lib/users/identity-contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listIdentities',
      summary: 'List the providers by which a user signs in',
      responses: { 200: identity },
    },
    access: 'users:manage',
    params: userParams,
    handle: async ({ deps, params: { userId } }) => ({ data: await readIdentities(deps, userId) }),
  }),
})
