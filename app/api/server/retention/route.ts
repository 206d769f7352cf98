import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { retained } from '@/lib/retention/contract'
import { describeRetention } from '@/lib/retention/describe-retention'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'describeRetention',
      summary: 'Read what is kept, and for how long',
      description:
        'The audit log, mails, the history of records, the trash and whatever else is deleted after some time: the settings that say when, and what of it there is now.',
      responses: { 200: listOf(retained) },
    },
    access: 'system:read',
    handle: async ({ deps }) => ({ data: await describeRetention(deps) }),
  }),
})
