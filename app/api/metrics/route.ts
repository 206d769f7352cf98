import { requireRight } from '@/lib/auth/rights'
import { AppError } from '@/lib/errors'
import { type Handler, methods, route } from '@/lib/http/route'
import { readMetrics } from '@/lib/metrics/read-metrics'
import { hasScrapeToken, separateScrapeToken } from '@/lib/metrics/scrape-token'
import { raw } from '@/lib/openapi/responses'

const get = route({
  doc: {
    id: 'readMetrics',
    summary: 'Read metrics for Prometheus',
    description: 'For administrators, and for holders of `METRICS_TOKEN` as a bearer token.',
    responses: { 200: raw('text/plain') },
    needsCredential: true,
  },
  access: 'optional',
  load: 'vital',
  handle: async ({ request, deps, actor }) => {
    if (!hasScrapeToken(request.headers, deps.settings.METRICS_TOKEN)) {
      if (!actor) throw new AppError('unauthenticated', 'Sign in, or send the metrics token')
      requireRight(actor, 'system:read')
    }
    const { text, contentType } = await readMetrics(deps)
    return new Response(text, {
      headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' },
    })
  },
})

const scrape: Handler = Object.assign(
  (request: Request, context: { params: Promise<unknown> }) =>
    get(separateScrapeToken(request), context),
  { spec: get.spec },
)

/** Metrics for Prometheus, to administrators and to holders of METRICS_TOKEN. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: scrape })
