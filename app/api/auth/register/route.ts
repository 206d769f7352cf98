import { z } from 'zod'
import { callerAddress } from '@/lib/auth/request-origin'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { askToRegister } from '@/lib/registration/ask-to-register'
import { registerBody } from '@/lib/registration/contract'

/** The response is the same whether there is such an account or not. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'askToRegister',
      summary: 'Request an account',
      description:
        'Sends a mail whose link makes the account, where `REGISTRATION` lets the address have one. The response is the same whether it does, and whether there is such an account or not.',
      responses: { 200: listOf(z.never()) },
      fails: ['rate_limited'],
    },
    access: 'public',
    body: registerBody,
    handle: async ({ deps, request, requestId, body: { email } }) => {
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      await askToRegister(deps, email, { address, requestId })
      return { data: [] }
    },
  }),
})
