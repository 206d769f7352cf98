import { z } from 'zod'
import { bodyLimits, readBytes } from '@/lib/http/body'
import { methods, route } from '@/lib/http/route'
import { takeWebhook } from '@/lib/mail/take-webhook'
import { listOf } from '@/lib/openapi/responses'

/** Reports of Resend about mails; their signature is the credential. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'takeResendEvent',
      summary: 'Receive a report of Resend about a mail',
      description: 'The signature in the `svix-` headers is the credential.',
      responses: { 200: listOf(z.never()) },
      fails: ['unauthenticated', 'not_found'],
      body: { 'application/json': z.looseObject({ type: z.string() }) },
    },
    access: 'public',
    handle: async ({ deps, request, requestId }) => {
      const bytes = await readBytes(request, bodyLimits(deps.settings, { access: 'public' }))
      const payload = new TextDecoder().decode(bytes)
      await takeWebhook(deps, { payload, headers: request.headers, requestId })
      return { data: [] }
    },
  }),
})
