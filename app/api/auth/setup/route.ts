import { callerAddress } from '@/lib/auth/request-origin'
import { methods, route } from '@/lib/http/route'
import { setUpBody } from '@/lib/users/bodies'
import { initialUser } from '@/lib/users/contract'
import { setUp } from '@/lib/users/set-up'
import { toUser } from '@/lib/users/store'

/** Creates the first administrator; refused when there is one. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'setUp',
      summary: 'Create the first administrator',
      description: 'Refused when there is one.',
      responses: { 201: initialUser },
      fails: ['conflict'],
    },
    access: 'public',
    body: setUpBody,
    handle: async ({ deps, request, requestId, body }) => {
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      const user = await setUp(deps, body, { address, requestId })
      const { userId, email, roles, profile } = toUser(user)
      return { data: [{ userId, email, roles, profile }], status: 201 }
    },
  }),
})
