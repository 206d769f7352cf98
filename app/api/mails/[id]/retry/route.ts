import { methods, route } from '@/lib/http/route'
import { mail, mailParams } from '@/lib/mail/contract'
import { retryMail } from '@/lib/mail/retry-mail'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'retryMail',
      summary: 'Send a mail again',
      description:
        'For mails that failed, or wait for their next attempt. Refused while no provider is set.',
      responses: { 200: mail },
      fails: ['conflict'],
    },
    access: 'mail:manage',
    params: mailParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await retryMail(deps, id, { actor, requestId })],
    }),
  }),
})
