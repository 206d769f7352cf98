import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'

/** Whether the process responds. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readHealth',
      summary: 'Check whether the process responds',
      responses: { 200: listOf(z.object({ status: z.literal('up') })) },
    },
    access: 'public',
    load: 'vital',
    handle: async () => ({ data: [{ status: 'up' }] }),
  }),
})
