import { checkReadiness } from '@/lib/health/check-readiness'
import { readiness } from '@/lib/health/contract'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'

/** Whether requests can be served: 503 while the database is away. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readReadiness',
      summary: 'Check whether requests can be served',
      description: '503 while the database is away.',
      responses: { 200: listOf(readiness) },
    },
    access: 'public',
    load: 'vital',
    handle: async ({ deps }) => ({ data: [await checkReadiness(deps)] }),
  }),
})
