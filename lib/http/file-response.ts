import { parseRange } from './byte-range'
import { fileStream } from './file-stream'

/** A file that never changes; `version` of letters, digits and dashes. */
export type ServedFile = { path: string; size: number; mediaType: string; version: string }

const YEAR_S = 31_536_000

/**
 * Responds with a file: whole, a range of it, or 304 when the caller has it already. Whatever it
 * contains, a browser treats it as `mediaType` only and runs no scripts in it. `freshForS`: seconds for which
 * its address is known to lead to it; permanently unless given.
 */
export function fileResponse(request: Request, file: ServedFile, freshForS?: number): Response {
  const etag = `"${file.version}"`
  const headers = new Headers({
    'Content-Type': file.mediaType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control':
      freshForS === undefined
        ? `public, max-age=${YEAR_S}, immutable`
        : `public, max-age=${freshForS}`,
    'Accept-Ranges': 'bytes',
    ETag: etag,
  })
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
  const range = wantsRange(request, etag)
    ? parseRange(request.headers.get('range'), file.size)
    : 'whole'
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.size - 1 } : range
  headers.set('Content-Length', String(end - start + 1))
  if (range !== 'whole') headers.set('Content-Range', `bytes ${start}-${end}/${file.size}`)
  return new Response(fileStream(file.path, start, end), {
    status: range === 'whole' ? 200 : 206,
    headers,
  })
}

/** Whether the caller has the version with this tag. */
export function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  return known.some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/** The range must be of the version of which the caller has the rest. */
const wantsRange = (request: Request, etag: string) =>
  (request.headers.get('if-range') ?? etag).trim() === etag
