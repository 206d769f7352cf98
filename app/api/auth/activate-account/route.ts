import { callerAddress } from '@/lib/auth/request-origin'
import { methods, route } from '@/lib/http/route'
import { activateAccount } from '@/lib/users/activate-account'
import { activateAccountBody } from '@/lib/users/bodies'
import { linkedUser } from '@/lib/users/contract'

/** Takes the token of an activation mail. Only POST: mail scanners open links. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'activateAccount',
      summary: 'Activate an account',
      description: 'Takes the token of an activation mail.',
      responses: { 200: linkedUser },
      fails: ['conflict'],
    },
    access: 'public',
    body: activateAccountBody,
    handle: async ({ deps, request, requestId, body: { token } }) => {
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      const { userId, email, status } = await activateAccount(deps, token, { address, requestId })
      return { data: [{ userId, email, status }] }
    },
  }),
})
