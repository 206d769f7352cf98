import { AppError } from '@/lib/errors'
import { errorResponse } from './errors'
import type { RouteSpec } from './route-spec'

export type Handler = {
  (request: Request, context: { params: Promise<unknown> }): Promise<Response>
  /** Of a handler created by `route()`. */
  spec?: RouteSpec
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof METHODS)[number]

/**
 * All exports of a `route.ts`: the given handlers, HEAD as GET without its body, OPTIONS with
 * `Allow`, and for every other method 405 with `Allow` in the envelope (Next's own has no body).
 */
export function methods(handlers: Partial<Record<Method, Handler>>): Record<Method, Handler> {
  const allowed = METHODS.filter((method) => handlers[method] || isPresent(method, handlers))
  const allow = allowed.join(', ')
  const all = METHODS.map((method) => [
    method,
    handlers[method] ?? standIn(method, handlers, allow),
  ])
  return Object.fromEntries(all) as Record<Method, Handler>
}

const isPresent = (method: Method, handlers: Partial<Record<Method, Handler>>) =>
  method === 'OPTIONS' || (method === 'HEAD' && handlers.GET !== undefined)

function standIn(
  method: Method,
  handlers: Partial<Record<Method, Handler>>,
  allow: string,
): Handler {
  if (method === 'OPTIONS')
    return async () =>
      new Response(null, {
        status: 204,
        headers: { Allow: allow, ...ownHeaders() },
      })
  if (method === 'HEAD' && handlers.GET) return headOf(handlers.GET)
  return async (request) => methodNotAllowed(request.method, allow)
}

/** 405 in the envelope; `allow` lists the allowed methods. */
export function methodNotAllowed(method: string, allow: string): Response {
  const error = new AppError('method_not_allowed', `${method} is not allowed here; use ${allow}`)
  const response = errorResponse({ status: 405, error, unexpected: false })
  response.headers.set('Allow', allow)
  for (const [name, value] of Object.entries(ownHeaders())) response.headers.set(name, value)
  return response
}

const headOf =
  (get: Handler): Handler =>
  async (request, context) => {
    const { status, headers, body } = await get(request, context)
    await body?.cancel()
    return new Response(null, { status, headers })
  }

/** Of every response of the API; nothing is measured of those that do nothing. */
const ownHeaders = () => ({
  'X-Request-Id': crypto.randomUUID(),
  'Server-Timing': 'total;dur=0.0',
})
