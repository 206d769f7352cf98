import { pathOf, type Received } from './received'

/** The pattern of the route that a request came to: what is known of its address without its values. */
export const routeOf = (request: Received, params: Promise<unknown>): string | Promise<string> =>
  request.routePattern ?? params.then((known) => patternOf(pathOf(request), known))

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
