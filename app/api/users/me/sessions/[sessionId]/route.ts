import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { endMySession } from '@/lib/users/end-sessions'
import { session, sessionParams } from '@/lib/users/session-contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    doc: {
      id: 'endMySession',
      summary: 'End one of your sessions',
      responses: { 200: listOf(session.pick({ id: true })) },
      fails: ['conflict'],
    },
    access: 'own-session',
    params: sessionParams,
    handle: async ({ deps, actor, requestId, params: { sessionId } }) => {
      await endMySession(deps, sessionId, { actor, requestId })
      return { data: [{ id: sessionId }] }
    },
  }),
})
