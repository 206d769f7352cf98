import { setImmediate as otherRequests } from 'node:timers/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { AppError } from '@/lib/errors'
import { crc32 } from '@/lib/values/crc32'
import { type Entry, STORED } from './central-directory'
import { refused } from './refusals'

/**
 * The content of an entry, from its packed data. Its declared size, already checked, is the limit: inflating stops at the first
 * piece beyond it. Larger ones are inflated in Node's thread pool. Throws `invalid_input` when size or CRC-32 are not as declared.
 */
export async function inflate(packed: Uint8Array, entry: Entry): Promise<Uint8Array> {
  const content = new Uint8Array(entry.bytes)
  let size = 0
  let crc = 0
  try {
    for await (const chunk of piecesOf(packed, entry)) {
      if (size + chunk.length > entry.bytes) throw refused(entry.path, LONGER)
      content.set(chunk, size)
      size += chunk.length
      crc = crc32(chunk, crc)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw isTooLarge(error) ? refused(entry.path, LONGER) : broken(entry, error)
  }
  if (size === entry.bytes && crc === entry.crc) return content
  throw broken(entry)
}

const CHUNK_BYTES = 256 * 1024
/** A stream of its own takes longer than to inflate so much. */
const SMALL_BYTES = 32 * 1024
/** Of Node. */
const LEAST_CHUNK_BYTES = 64

function piecesOf(packed: Uint8Array, { method, bytes }: Entry): AsyncGenerator<Uint8Array> {
  return method === STORED ? stored(packed) : inflated(packed, bytes)
}

async function* stored(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < packed.length; from += CHUNK_BYTES) {
    yield packed.subarray(from, from + CHUNK_BYTES)
    await otherRequests()
  }
}

async function* inflated(packed: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  // Some packers leave the stream out where there is no content.
  if (packed.length === 0) return
  if (bytes <= SMALL_BYTES) return yield inflatedHere(packed, bytes)
  const stream = createInflateRaw({ chunkSize: CHUNK_BYTES })
  stream.end(packed)
  yield* stream
  requireAll(stream.bytesWritten, packed)
}

/** At most one byte more than declared: enough to see that it is more. */
function inflatedHere(packed: Uint8Array, bytes: number): Uint8Array {
  const limits = { maxOutputLength: bytes + 1, chunkSize: Math.max(LEAST_CHUNK_BYTES, bytes + 1) }
  const { buffer, engine } = inflateRawSync(packed, {
    ...limits,
    info: true,
  }) as unknown as Inflated
  requireAll(engine.bytesWritten, packed)
  return buffer
}

/** What `info` makes zlib return, missing in its types. */
type Inflated = { buffer: Uint8Array; engine: { bytesWritten: number } }

function requireAll(read: number, packed: Uint8Array): void {
  if (read !== packed.length) throw new Error('Data after the end of the content')
}

const isTooLarge = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'

const LONGER = 'unpacks to more than it declares; pack the archive again'

const broken = ({ path }: Entry, cause?: unknown) =>
  refused(path, 'does not match its checksum or size; pack or download the archive again', cause)
