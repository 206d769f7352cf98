import { methods, route } from '@/lib/http/route'
import { secondFactors, totpSetup } from '@/lib/second-factors/contract'
import { describeFactors } from '@/lib/second-factors/describe-factors'
import { beginTotp, removeTotp } from '@/lib/second-factors/set-up-totp'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'beginTotp',
      summary: 'Begin to set up an authenticator app',
      description: 'It counts once a code of it is confirmed, within 5 minutes.',
      responses: { 201: totpSetup },
      fails: ['conflict'],
    },
    access: 'own-session',
    handle: async ({ deps, actor, requestId }) => ({
      data: [await beginTotp(deps, { actor, requestId })],
      status: 201,
    }),
  }),
  DELETE: route({
    doc: {
      id: 'removeTotp',
      summary: 'Remove your authenticator app',
      responses: { 200: secondFactors },
      fails: ['conflict', 'not_found'],
    },
    access: 'own-session',
    handle: async ({ deps, actor, requestId }) => {
      await removeTotp(deps, { actor, requestId })
      return { data: [await describeFactors(deps.db, actor)] }
    },
  }),
})
