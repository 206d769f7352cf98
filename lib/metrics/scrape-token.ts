import { createHash, timingSafeEqual } from 'node:crypto'

const HEADER = 'x-metrics-token'

/**
 * The request with a bearer token that is no API key moved to another header: scrapers can't send
 * any other header, and as an API key the token would be refused.
 */
export function separateScrapeToken(request: Request): Request {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (!bearer || bearer.startsWith('eng_')) return request
  const headers = new Headers(request.headers)
  headers.delete('authorization')
  headers.set(HEADER, bearer)
  return new Request(request.url, { method: request.method, headers })
}

/**
 * Whether the request has the token, compared in constant time. Without a configured token, false.
 */
export function hasScrapeToken(headers: Headers, token: string | undefined): boolean {
  const input = headers.get(HEADER)
  return Boolean(token && input) && timingSafeEqual(digest(input ?? ''), digest(token ?? ''))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
