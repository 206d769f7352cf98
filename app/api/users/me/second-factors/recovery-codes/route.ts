import { methods, route } from '@/lib/http/route'
import { newRecoveryCodes } from '@/lib/second-factors/contract'
import { renewRecoveryCodes } from '@/lib/second-factors/renew-recovery-codes'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'renewRecoveryCodes',
      summary: 'Make new recovery codes',
      description: 'The older ones become invalid.',
      responses: { 201: newRecoveryCodes },
      fails: ['conflict'],
    },
    access: 'own-session',
    handle: async ({ deps, actor, requestId }) => ({
      data: [{ recoveryCodes: await renewRecoveryCodes(deps, { actor, requestId }) }],
      status: 201,
    }),
  }),
})
