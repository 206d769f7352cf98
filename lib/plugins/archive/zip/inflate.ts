import { setImmediate as otherRequests } from 'node:timers/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { crc32 } from '@/lib/values/crc32'
import type { Entry } from './central-directory'
import { refused } from './refusals'

const STORED = 0
const PIECE_BYTES = 256 * 1024

/**
 * The content of an entry from its packed bytes. Its declared size, already checked, is the limit:
 * inflating stops at the first byte beyond it. Works beside the main thread, in pieces, unless it
 * is small. Throws `invalid_input` when size or CRC-32 are not as declared.
 */
export async function inflate(packed: Uint8Array, entry: Entry): Promise<Uint8Array> {
  const content = new Uint8Array(entry.bytes)
  let size = 0
  let crc = 0
  for await (const piece of piecesOf(packed, entry)) {
    if (size + piece.length > entry.bytes) throw refused(entry.path, LONGER)
    content.set(piece, size)
    size += piece.length
    crc = crc32(piece, crc)
  }
  if (size !== entry.bytes || crc !== entry.crc) throw broken(entry)
  return content
}

function piecesOf(packed: Uint8Array, entry: Entry) {
  // Some packers say that an empty file is deflated.
  if (entry.method === STORED || packed.length === 0) return cut(packed)
  return entry.bytes > PIECE_BYTES ? unpack(packed, entry) : unpackSmall(packed, entry)
}

async function* cut(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < packed.length; from += PIECE_BYTES) {
    if (from > 0) await otherRequests()
    yield packed.subarray(from, from + PIECE_BYTES)
  }
}

/** Ending the iteration stops it. */
async function* unpack(packed: Uint8Array, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES })
  stream.end(packed)
  try {
    yield* stream
  } catch (cause) {
    throw broken(entry, cause as Error)
  } finally {
    stream.destroy()
  }
}

/** At once: to make a stream takes longer. */
function unpackSmall(packed: Uint8Array, entry: Entry): Uint8Array[] {
  try {
    return [inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.bytes) })]
  } catch (cause) {
    const isLonger = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isLonger ? refused(entry.path, LONGER, cause) : broken(entry, cause as Error)
  }
}

const LONGER = 'unpacks to more than it declares; pack the archive again'

const broken = ({ path }: Entry, cause?: Error) =>
  refused(path, 'does not match its checksum or size; pack or download the archive again', cause)
