import type { Layer } from '@/lib/around'
import { metrics } from '@/lib/metrics/metrics'
import { hasLeft } from '@/lib/values/received'
import { routeOf } from '@/lib/values/route-pattern'

/** The status in metrics of a request whose client has left, as in other servers. */
const CLIENT_LEFT = 499

/** Counts requests, and the time until their responses began, by the patterns of their paths. */
export const requestMetrics: Layer = {
  name: 'request-metrics',
  around: {
    async request(deps, { request, params }, next) {
      const startedAt = performance.now()
      const response = await next(deps)
      const { method } = request
      const status = String(hasLeft(request) ? CLIENT_LEFT : response.status)
      const known = routeOf(request, params)
      const route = typeof known === 'string' ? known : await known
      const { requests, durations } = metrics()
      requests.inc({ method, route, status })
      durations.observe({ method, route }, (performance.now() - startedAt) / 1000)
      return response
    },
  },
}
