import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { user, userParams } from '@/lib/users/contract'
import { sendActivation } from '@/lib/users/send-activation'

/** Sends the activation mail again. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'sendActivationEmail',
      summary: 'Send the activation mail again',
      responses: { 200: listOf(user.pick({ userId: true })) },
      fails: ['conflict'],
    },
    access: 'users:manage',
    params: userParams,
    handle: async ({ deps, actor, requestId, params: { userId } }) => {
      await sendActivation(deps, userId, { actor, requestId })
      return { data: [{ userId }] }
    },
  }),
})
