import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { userParams } from '@/lib/users/contract'
import { sendActivation } from '@/lib/users/send-activation'

/** Sends the activation mail again. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'users:manage',
    params: userParams,
    handle: async ({ deps, actor, requestId, params: { userId } }) => {
      await sendActivation(deps, userId, { actor, requestId })
      return { data: [{ userId }] }
    },
  }),
})
