import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { user, userParams } from '@/lib/users/contract'
import { endSessions } from '@/lib/users/end-sessions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    doc: {
      id: 'endSessions',
      summary: "End a user's sessions",
      description: 'The user must sign in again on all devices. API keys stay valid.',
      responses: { 200: listOf(user.pick({ userId: true })) },
    },
    access: 'users:manage',
    params: userParams,
    handle: async ({ deps, actor, requestId, params: { userId } }) => {
      await endSessions(deps, userId, { actor, requestId })
      return { data: [{ userId }] }
    },
  }),
})
