import { createHash } from 'node:crypto'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/format-bytes'
import { type Json, JsonSyntaxError, parseJson } from '@/lib/json'

export type JsonBody = {
  json: Json
  /** Of the bytes, in hex. */
  sha256: string
}

/**
 * The JSON of a request's body. Throws `unsupported_media_type` for another content type, `too_large`
 * before more than `maxBytes` are in memory, and `invalid_input` with the place of a syntax fault.
 */
export async function readJson(
  request: Request,
  maxBytes: number,
  options: { exactly?: boolean } = {},
): Promise<JsonBody> {
  const type = request.headers.get('content-type') ?? ''
  if (type && !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json')
  }
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length === 0) throw new AppError('invalid_input', 'The request needs a JSON body')
  try {
    return { json: parseJson(bytes, options), sha256: sha256(bytes) }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    const { reason, line, column, position } = error
    const place = `line ${line}, column ${column} (position ${position})`
    throw new AppError('invalid_input', `The body is not valid JSON: ${reason} at ${place}`, {
      cause: error,
    })
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The whole body; throws `too_large` as soon as it is known to be over `maxBytes`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

export const tooLarge = (maxBytes: number) =>
  new AppError('too_large', `The body is larger than ${formatBytes(maxBytes)}`)
