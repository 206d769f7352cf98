import type { ServerResponse } from 'node:http'
import { standInPage } from '@/lib/http/stand-in-page'

const RETRY_SECONDS = 5

/**
 * Responds with a page that says why another one is not shown. Ignores what Next writes to the
 * response afterwards. Does nothing when a response has begun.
 */
export function respondBusy(response: ServerResponse, text: string): void {
  if (response.headersSent || response.writableEnded || response.destroyed) return
  const page = standInPage({
    text: `${text} This page tries again by itself.`,
    refresh: `<meta http-equiv="refresh" content="${RETRY_SECONDS}">`,
  })
  for (const name of response.getHeaderNames()) {
    if (!KEPT.has(name)) response.removeHeader(name)
  }
  response.writeHead(503, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'Retry-After': RETRY_SECONDS,
  })
  response.end(page)
  ignoreWrites(response)
}

/** Headers of every response; the others belonged to the page. */
const KEPT = new Set(['connection', 'strict-transport-security'])

function ignoreWrites(response: ServerResponse): void {
  const nothing = () => response
  const ignored = { writeHead: nothing, setHeader: nothing, appendHeader: nothing, end: nothing }
  Object.assign(response, ignored, {
    write: () => true,
    removeHeader: () => {},
    flushHeaders: () => {},
  })
}
