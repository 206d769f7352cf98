import { type FileHandle, open } from 'node:fs/promises'

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

/** Bytes to send, both ends included. */
type ByteRange = { start: number; end: number }

/**
 * The one range that a `Range` header asks for (RFC 9110 §14.2). `whole` when there is none, it is
 * in another unit or form, or asks for several: the whole file is a valid response to those.
 */
function parseRange(header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}

const CHUNK_BYTES = 64 * 1024

/**
 * The bytes `start` to `end` (included) of a file: opened when first read, closed at the end or on
 * cancel, and never read ahead of its reader. (Node's `Readable.toWeb` counts chunks where it means
 * bytes, and so takes the whole file into memory for a slow reader.) A file that ends early errors.
 */
export function fileStream(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let opening: Promise<FileHandle> | undefined
  let at = start
  const read = async (handle: FileHandle): Promise<Uint8Array> => {
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - at + 1))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) throw new Error('The file is shorter than it was')
    return buffer.subarray(0, bytesRead)
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      opening ??= open(path)
      const handle = await opening
      const chunk = await read(handle).catch(async (error) => {
        await handle.close()
        throw error
      })
      at += chunk.length
      controller.enqueue(chunk)
      if (at <= end) return
      await handle.close()
      controller.close()
    },
    // A running read ends before the file is closed; its result is not used.
    cancel: async () => (await opening)?.close(),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
