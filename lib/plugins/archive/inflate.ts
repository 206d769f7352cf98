import { setImmediate as otherRequests } from 'node:timers/promises'
import { createInflateRaw } from 'node:zlib'
import type { Entry } from './central-directory'
import { crc32 } from './crc32'
import { refused } from './refusals'

/** Content that is checked between two turns of the event loop. */
const PIECE_BYTES = 256 * 1024
const STORED = 0

/**
 * The content of an entry, of its packed bytes. Its declared size is the limit, since that was checked
 * against ours: inflating stops at the first byte more. zlib works in a thread of its own. Throws
 * `invalid_input` when size or CRC-32 are not what was declared.
 */
export async function inflate(packed: Uint8Array, entry: Entry): Promise<Uint8Array> {
  const content = new Uint8Array(entry.bytes)
  // Tools write nothing at all for an empty file, or an empty stream.
  if (entry.bytes === 0) return content
  let size = 0
  let crc = 0
  for await (const piece of entry.method === STORED ? pieces(packed) : inflated(packed, entry)) {
    size += piece.length
    if (size > entry.bytes) throw refused(entry.path, LONGER)
    content.set(piece, size - piece.length)
    crc = crc32(piece, crc)
  }
  if (size !== entry.bytes || crc !== entry.crc) throw broken(entry)
  return content
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    yield bytes.subarray(from, from + PIECE_BYTES)
    await otherRequests()
  }
}

async function* inflated(packed: Uint8Array, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES })
  stream.end(packed)
  try {
    yield* stream
  } catch (cause) {
    throw broken(entry, cause)
  } finally {
    stream.destroy()
  }
  if (stream.bytesWritten !== packed.length) throw broken(entry)
}

const LONGER = 'unpacks to more than it declares; pack the archive again'

const broken = ({ path }: Entry, cause?: unknown) =>
  refused(path, 'does not match its checksum or size; pack or download the archive again', cause)
