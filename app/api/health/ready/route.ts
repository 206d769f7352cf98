import { checkReadiness } from '@/lib/health/check-readiness'
import { readiness } from '@/lib/health/contract'
import { methods, route } from '@/lib/http/route'
import { requireReady } from '@/lib/layers/load-shedding'

/** Whether requests would be served now. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readReadiness',
      summary: 'Check whether requests can be served',
      description:
        '503 while the database is away, or the process so overloaded that it refuses ordinary requests.',
      responses: { 200: readiness },
    },
    access: 'public',
    load: 'vital',
    handle: async ({ deps }) => {
      requireReady('light', deps.settings.SHED_DELAY_MS)
      return { data: [await checkReadiness(deps)] }
    },
  }),
})
