import { readBytes } from '@/lib/http/body'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { takeWebhook } from '@/lib/mail/take-webhook'

const MAX_EVENT_BYTES = 256 * 1024

/** What Resend tells about mails; its signature is the credential. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'public',
    handle: async ({ deps, request, requestId }) => {
      const payload = new TextDecoder().decode(await readBytes(request, MAX_EVENT_BYTES))
      await takeWebhook(deps, { payload, headers: request.headers, requestId })
      return { data: [] }
    },
  }),
})
