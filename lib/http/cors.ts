import type { Env } from '@/lib/env'

/** Seconds for which browsers remember the answer to a preflight. */
const PREFLIGHT_S = 600

/** What a page may send; browsers send `Accept` and the like unasked. */
const REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
  ...['Last-Event-ID', 'Prefer'],
  ...['Range', 'traceparent', 'X-Engine-ApiKey', 'X-Engine-Consistency', 'X-Engine-View-As'],
].join(', ')

/** What a page may read of a response, besides `Content-Type` and the like. */
const RESPONSE_HEADERS = [
  ...['Accept-Ranges', 'Allow', 'Content-Disposition', 'Content-Range', 'ETag'],
  ...['Idempotency-Replayed', 'Location', 'Preference-Applied', 'RateLimit', 'RateLimit-Policy'],
  ...['Retry-After', 'Server-Timing', 'WWW-Authenticate', 'X-Engine-Changes-Cursor'],
  ...['X-Engine-Consistency', 'X-Request-Id'],
].join(', ')

type Settings = Pick<Env, 'CORS_ORIGINS'>

/** Whether pages of the request's origin may call the API. */
export function isListedOrigin({ headers }: Pick<Request, 'headers'>, settings: Settings): boolean {
  const origin = headers.get('origin')
  return origin !== null && settings.CORS_ORIGINS.includes(origin)
}

/**
 * Lets pages of `CORS_ORIGINS` read the response; `allow` lists the methods of its route. Never with cookies, so nothing of
 * `/api/auth`, which is about them.
 */
export function addCors(
  request: Request,
  { headers }: Response,
  settings: Settings,
  allow: string,
): void {
  if (settings.CORS_ORIGINS.length === 0) return
  // A cache must not give the response for one origin to another.
  headers.append('Vary', 'Origin')
  if (!isListedOrigin(request, settings) || isOfSessions(request)) return
  headers.set('Access-Control-Allow-Origin', request.headers.get('origin') ?? '')
  headers.set('Access-Control-Expose-Headers', RESPONSE_HEADERS)
  if (request.method !== 'OPTIONS') return
  headers.set('Access-Control-Allow-Methods', allow)
  headers.set('Access-Control-Allow-Headers', REQUEST_HEADERS)
  headers.set('Access-Control-Max-Age', String(PREFLIGHT_S))
}

const isOfSessions = ({ url }: Request) => new URL(url).pathname.startsWith('/api/auth/')
