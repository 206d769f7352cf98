import 'server-only'
import { metrics } from './metrics'
import { routePattern } from './route-pattern'

/**
 * Counts a request with its response; `params` are those of its route, `startedAt` of
 * `performance.now()`.
 */
export async function observeRequest(
  { method, url }: Pick<Request, 'method' | 'url'>,
  params: Promise<unknown>,
  status: number,
  startedAt: number,
): Promise<void> {
  const seconds = (performance.now() - startedAt) / 1000
  const route = routePattern(new URL(url).pathname, await params)
  const { requests, durations } = metrics()
  requests.inc({ method, route, status: String(status) })
  durations.observe({ method, route }, seconds)
}
