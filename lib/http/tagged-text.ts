import 'server-only'
import { createHash } from 'node:crypto'
import { isKnown } from './file-response'

/**
 * Responds with text that differs by caller and rarely changes: with an `ETag`, and 304 to clients
 * that have it.
 */
export function taggedText(request: Request, text: string, contentType: string): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  const headers = {
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, X-Engine-ApiKey, Cookie',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  }
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'Content-Type': contentType } })
}
