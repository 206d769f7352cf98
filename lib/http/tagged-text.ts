import { createHash } from 'node:crypto'
import { isKnown } from './file-response'

/**
 * Responds with text that differs by caller and rarely changes: with an `ETag`, and 304 to clients
 * that have it.
 */
export const taggedText = (request: Request, text: string, contentType: string): Response =>
  tagged(request, text, {
    'Content-Type': contentType,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, X-Engine-ApiKey, Cookie',
  })

/** As `taggedText`, for text that is the same for everybody; caches keep it for an hour. */
export const publicText = (request: Request, text: string, contentType: string): Response =>
  tagged(request, text, {
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=3600',
    'Access-Control-Allow-Origin': '*', // editors in browsers
  })

function tagged(
  request: Request,
  text: string,
  { 'Content-Type': contentType, ...input }: Record<string, string>,
): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  const headers = { ...input, 'X-Content-Type-Options': 'nosniff', ETag: etag }
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(text, {
    headers: { ...headers, 'Content-Type': contentType ?? 'text/plain' },
  })
}
