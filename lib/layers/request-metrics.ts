import type { Layer } from '@/lib/around'
import { metrics } from '@/lib/metrics/metrics'
import { hasLeft, pathOf, type Received } from '@/lib/values/received'

/** The status in metrics of a request whose client has left, as in other servers. */
const CLIENT_LEFT = 499

/** Counts requests, and the time until their responses began, by the patterns of their paths. */
export const requestMetrics: Layer = {
  name: 'request-metrics',
  around: {
    async request(deps, { request, params }, next) {
      const startedAt = performance.now()
      const response = await next(deps)
      const { method, routePattern } = request as Received
      const status = String(hasLeft(request) ? CLIENT_LEFT : response.status)
      const route = routePattern ?? patternOf(pathOf(request), await params)
      const { requests, durations } = metrics()
      requests.inc({ method, route, status })
      durations.observe({ method, route }, (performance.now() - startedAt) / 1000)
      return response
    },
  },
}

/**
 * The pattern that a path matched: `/api/entities/Airport/search` with `{ entityName: 'Airport' }` is
 * `/api/entities/[entityName]/search`.
 */
export function patternOf(pathname: string, params: unknown): string {
  const segments = pathname.split('/').map(decode)
  for (const [name, value] of Object.entries(params ?? {})) {
    if (Array.isArray(value)) return `/api/[...${name}]`
    // The first two segments of a route are fixed: `/api/entities/entities` has its parameter last.
    const at = segments.indexOf(String(value), FIRST_PARAMETER)
    if (at > 0) segments[at] = `[${name}]`
  }
  return segments.join('/')
}

// '', 'api' and a noun come before.
const FIRST_PARAMETER = 3

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
