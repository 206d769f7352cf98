import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { resetSecondFactors } from '@/lib/second-factors/reset-second-factors'
import { user, userParams } from '@/lib/users/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    doc: {
      id: 'resetSecondFactors',
      summary: 'Remove the second factors of another user',
      description:
        'Ends their sessions. Where a role requires a second factor, they set up a new one.',
      responses: { 200: listOf(user.pick({ userId: true })) },
    },
    access: 'security:manage',
    params: userParams,
    handle: async ({ deps, actor, requestId, params: { userId } }) => {
      await resetSecondFactors(deps, userId, { actor, requestId })
      return { data: [{ userId }] }
    },
  }),
})
