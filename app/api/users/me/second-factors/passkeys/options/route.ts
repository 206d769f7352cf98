import { methods, route } from '@/lib/http/route'
import { offerPasskey } from '@/lib/second-factors/add-passkey'
import { passkeyChallenge } from '@/lib/second-factors/passkey-contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'offerPasskey',
      summary: 'Begin to add a passkey',
      description: 'What a browser needs to make it, within 5 minutes.',
      responses: { 200: passkeyChallenge },
      fails: ['conflict'],
    },
    access: 'own-session',
    handle: async ({ deps, actor, requestId }) => ({
      data: [await offerPasskey(deps, { actor, requestId })],
    }),
  }),
})
