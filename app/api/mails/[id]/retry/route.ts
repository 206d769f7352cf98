import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { mailParams } from '@/lib/mail/contract'
import { retryMail } from '@/lib/mail/retry-mail'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'mail:manage',
    params: mailParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await retryMail(deps, id, { actor, requestId })],
    }),
  }),
})
