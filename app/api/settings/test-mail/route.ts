import { methods, route } from '@/lib/http/route'
import { testMail } from '@/lib/mail/contract'
import { sendTestMail } from '@/lib/mail/send-test-mail'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'sendTestMail',
      summary: 'Send a test mail to yourself',
      description:
        'Sent at once and a single time, beside the outbox; the response says what the mail server or Resend answered. Takes up to 45 seconds.',
      responses: { 200: testMail },
      fails: ['conflict', 'rate_limited'],
    },
    access: 'mail:manage',
    handle: async ({ deps, actor, requestId }) => ({
      data: [await sendTestMail(deps, { actor, requestId })],
    }),
  }),
})
