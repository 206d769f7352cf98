import { methods, route } from '@/lib/http/route'
import { addedFactor, finishTotpBody } from '@/lib/second-factors/contract'
import { finishTotp } from '@/lib/second-factors/set-up-totp'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'finishTotp',
      summary: 'Add the authenticator app by its first code',
      description: 'With the first factor, your other sessions end.',
      responses: { 200: addedFactor },
      fails: ['conflict', 'rate_limited'],
    },
    access: 'own-session',
    body: finishTotpBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [{ recoveryCodes: await finishTotp(deps, body, { actor, requestId }) }],
    }),
  }),
})
