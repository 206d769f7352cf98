import { methods, route } from '@/lib/http/route'
import { confirmIdentity } from '@/lib/second-factors/confirm-identity'
import { confirmation, confirmationBody } from '@/lib/second-factors/contract'

/** Changes of second factors and a backup need it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'confirmIdentity',
      summary: 'Confirm that it is you',
      description:
        'With a password or a code. Lets this session change second factors and download a backup for 10 minutes.',
      responses: { 200: confirmation },
      fails: ['rate_limited', 'conflict'],
    },
    access: 'own-session',
    body: confirmationBody,
    handle: async ({ deps, actor, requestId, body }) => {
      const until = await confirmIdentity(deps, body, { actor, requestId })
      return { data: [{ confirmedUntil: until.toISOString() }] }
    },
  }),
})
