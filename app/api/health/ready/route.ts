import { checkReadiness } from '@/lib/health/check-readiness'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

/** Whether requests can be served: 503 while the database is away. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'public',
    handle: async ({ deps }) => ({ data: [await checkReadiness(deps)] }),
  }),
})
