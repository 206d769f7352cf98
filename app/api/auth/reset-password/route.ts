import { callerAddress } from '@/lib/auth/request-origin'
import { methods, route } from '@/lib/http/route'
import { resetPasswordBody } from '@/lib/users/bodies'
import { linkedUser } from '@/lib/users/contract'
import { resetPassword } from '@/lib/users/reset-password'

/** Takes the token of a reset mail and the new password. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'resetPassword',
      summary: 'Set a new password',
      description: 'Takes the token of a reset mail.',
      responses: { 200: linkedUser },
      fails: ['conflict'],
    },
    access: 'public',
    body: resetPasswordBody,
    handle: async ({ deps, request, requestId, body }) => {
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      const { userId, email, status } = await resetPassword(deps, body, { address, requestId })
      return { data: [{ userId, email, status }] }
    },
  }),
})
