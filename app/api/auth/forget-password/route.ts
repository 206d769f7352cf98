import { z } from 'zod'
import { callerAddress } from '@/lib/auth/request-origin'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { askForReset } from '@/lib/users/ask-for-reset'
import { forgetPasswordBody } from '@/lib/users/bodies'

/** The response is the same whether there is such an account or not. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'askForReset',
      summary: 'Request a new password',
      description: 'The response is the same whether there is such an account or not.',
      responses: { 200: listOf(z.never()) },
      fails: ['rate_limited'],
    },
    access: 'public',
    body: forgetPasswordBody,
    handle: async ({ deps, request, requestId, body: { email } }) => {
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      await askForReset(deps, email, { address, requestId })
      return { data: [] }
    },
  }),
})
