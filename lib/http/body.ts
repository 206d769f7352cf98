import { createHash } from 'node:crypto'
import { inSlices } from '@/lib/async/in-slices'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import { type Json, JsonSyntaxError, parseJsonInSteps, TooManyValuesError } from '@/lib/values/json'
import { discard } from './discard'

/** The most bytes that a route reads of a body from an unknown caller. */
const MAX_PUBLIC_BYTES = 64 * 1024
/** Of a body with neither records nor conditions. */
const MAX_OTHER_BYTES = 1024 * 1024
/** A value takes up to a hundred bytes of memory, however short its text. */
const MAX_VALUES = 1_000_000
/** An object is built without yielding, which takes a second for a million properties. */
const MAX_PROPERTIES = 50_000

export type BodyLimits = {
  maxBytes: number
  /** See `BodyPace`. */
  timeoutMs: number
}

/**
 * How much of a body a route reads, and how long it waits for it. Unknown callers may send little.
 */
export function bodyLimits(
  { MAX_JSON_BYTES, BODY_TIMEOUT_MS: timeoutMs }: Pick<Env, 'MAX_JSON_BYTES' | 'BODY_TIMEOUT_MS'>,
  { access, exactNumbers: holdsRecords }: { access: unknown; exactNumbers?: boolean },
): BodyLimits {
  const isOpen = access === 'public' || access === 'optional'
  if (holdsRecords && !isOpen) return { maxBytes: MAX_JSON_BYTES, timeoutMs }
  const maxBytes = isOpen ? MAX_PUBLIC_BYTES : MAX_OTHER_BYTES
  return { maxBytes: Math.min(maxBytes, MAX_JSON_BYTES), timeoutMs }
}

/** Of requests whose body may be there without a stream. */
type Received = { received?: () => Promise<Uint8Array | null> }

export type JsonBody = {
  json: Json
  /** Of the bytes, in hex. */
  sha256: string
}

/**
 * The JSON of a request's body, parsed in slices; with `orEmpty` an empty object where there is none. Throws what `readBytes` does,
 * `unsupported_media_type` for another content type, `too_large` for too many values, and
 * `invalid_input` with the position of the first syntax error.
 */
export async function readJson(
  request: Request,
  limits: BodyLimits,
  { exactly, orEmpty = false }: { exactly?: boolean; orEmpty?: boolean } = {},
): Promise<JsonBody> {
  const type = request.headers.get('content-type') ?? ''
  if (type && !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json')
  }
  const bytes = await readBytes(request, limits)
  if (bytes.length === 0 && orEmpty) return { json: {}, sha256: '' }
  if (bytes.length === 0) throw new AppError('invalid_input', 'The request needs a JSON body')
  try {
    const json = await inSlices(
      parseJsonInSteps(bytes, { exactly, maxValues: MAX_VALUES, maxProperties: MAX_PROPERTIES }),
    )
    return { json, sha256: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    throw translate(error)
  }
}

function translate(error: unknown): unknown {
  if (error instanceof TooManyValuesError)
    return new AppError('too_large', `The body holds ${error.message}; send it in parts`, {
      cause: error,
    })
  if (!(error instanceof JsonSyntaxError)) return error
  const { reason, line, column, position } = error
  const where = `line ${line}, column ${column} (position ${position})`
  return new AppError('invalid_input', `The body is not valid JSON: ${reason} at ${where}`, {
    cause: error,
  })
}

/**
 * The whole body. Throws `too_large` as soon as it exceeds `maxBytes`, `request_timeout` when it
 * arrives too slowly, and `unsupported_media_type` when it is compressed.
 */
export async function readBytes(
  request: Request & Received,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<Uint8Array> {
  requireIdentity(request)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const received = await request.received?.()
  if (received && received.length > maxBytes) throw tooLarge(maxBytes)
  if (received) return received
  if (!request.body) return new Uint8Array()
  const body = request.body.getReader()
  try {
    return await collect(body, new BodyPace(timeoutMs), maxBytes)
  } catch (error) {
    void discard(body)
    throw error
  }
}

async function collect(body: Body, pace: BodyPace, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (let size = 0; ; ) {
    const { done, value } = await pace.read(body)
    if (done) return Buffer.concat(chunks, size)
    size += value.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(value)
  }
}

/** Throws `unsupported_media_type` for a body with a `Content-Encoding`. */
export function requireIdentity(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim() ?? ''
  if (/^(identity)?$/i.test(encoding)) return
  throw new AppError(
    'unsupported_media_type',
    'Send the body as it is, without Content-Encoding: compressed bodies are not taken',
  )
}

const tooLarge = (maxBytes: number) =>
  new AppError('too_large', `The body is larger than ${formatBytes(maxBytes)}`)

export type Body = ReadableStreamDefaultReader<Uint8Array>

/** The slowest acceptable line: 50 MiB in two hours. */
const MIN_BYTES_PER_MS = 8

/**
 * Reads a body that must make progress: data within `timeoutMs`, and after that time at least 8 KB
 * a second on average. Only time spent waiting for the client counts. So a slow upload can succeed,
 * while one that stalls does not hold a connection.
 */
export class BodyPace {
  #received = 0
  #waitedMs = 0

  constructor(readonly timeoutMs: number) {}

  /** The next bytes; throws `request_timeout`, and `invalid_input` when the client has left. */
  async read(body: Body): Promise<ReadableStreamReadResult<Uint8Array>> {
    const startedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow()), this.#msLeft())
    })
    try {
      const result = await Promise.race([body.read().catch(interrupted), late])
      this.#received += result.value?.length ?? 0
      return result
    } finally {
      clearTimeout(timer)
      this.#waitedMs += performance.now() - startedAt
    }
  }

  #msLeft(): number {
    const allowedMs = this.timeoutMs + this.#received / MIN_BYTES_PER_MS
    return Math.max(0, Math.min(this.timeoutMs, allowedMs - this.#waitedMs))
  }
}

const interrupted = (cause: unknown): never => {
  throw new AppError('invalid_input', 'The body was interrupted; send it again', { cause })
}

const tooSlow = () =>
  new AppError('request_timeout', 'The body arrived too slowly or is incomplete; send it again')
