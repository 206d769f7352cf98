import { callerAddress, networkOf } from '@/lib/auth/request-origin'
import { methods, route } from '@/lib/http/route'
import { askForPasskeyBody, passkeyChallenge } from '@/lib/second-factors/passkey-contract'
import { askForPasskey } from '@/lib/second-factors/spend-passkey'

/** Begins a sign-in, or a confirmation, by passkey. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'askForPasskey',
      summary: 'Get a challenge for a passkey',
      description:
        'It can be used once, within 5 minutes. With a ticket, names the passkeys of its user.',
      responses: { 200: passkeyChallenge },
      fails: ['rate_limited', 'unauthenticated'],
    },
    access: 'public',
    body: askForPasskeyBody,
    handle: async ({ deps, request, body: { ticket } }) => {
      const network = networkOf(callerAddress(request.headers, deps.settings.TRUST_PROXY))
      return { data: [await askForPasskey(deps, { ticket, network })] }
    },
  }),
})
