import { callerAddress } from '@/lib/auth/request-origin'
import { methods, route } from '@/lib/http/route'
import { confirmRegistration } from '@/lib/registration/confirm-registration'
import { confirmRegistrationBody } from '@/lib/registration/contract'
import { linkedUser } from '@/lib/users/contract'

/** Takes the token of a registration mail and the password. Only POST: mail scanners open links. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'confirmRegistration',
      summary: 'Create the account of a registration',
      description:
        'Takes the token of a registration mail. The user is active, has the role that `REGISTRATION_ROLE` names, and signs in as everybody does.',
      responses: { 201: linkedUser },
      fails: ['conflict', 'rate_limited'],
    },
    access: 'public',
    body: confirmRegistrationBody,
    handle: async ({ deps, request, requestId, body }) => {
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      const user = await confirmRegistration(deps, body, { address, requestId })
      const { userId, email, status } = user
      return { data: [{ userId, email, status }], status: 201 }
    },
  }),
})
