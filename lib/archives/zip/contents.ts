import { setImmediate as otherRequests } from 'node:timers/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { AppError } from '@/lib/errors'
import { crc32 } from '@/lib/values/crc32'
import { type Entry, STORED } from './central-directory'
import { damaged, refused } from './names'

const HEADER = 0x04034b50
const HEADER_BYTES = 30
const DESCRIPTOR = 0x08074b50
const HAS_DESCRIPTOR = 0x08
const ENCRYPTED = 0x01

/**
 * The packed data of each entry. Compares each local header (APPNOTE 4.3.7) with the central one, and checks
 * the layout of all entries: they must follow each other from the first byte to the central directory, with nothing
 * between them but data descriptors. That excludes overlaps (quadratic zip bombs) and
 * entries that only some readers see. Throws `invalid_input`.
 */
export function readLocalHeaders(
  view: DataView,
  entries: Entry[],
  directoryOffset: number,
): Map<Entry, Uint8Array> {
  const packed = new Map<Entry, Uint8Array>()
  const byOffset = [...entries].sort((a, b) => a.headerOffset - b.headerOffset)
  if ((byOffset[0]?.headerOffset ?? directoryOffset) !== 0)
    throw damaged('it does not begin with its first entry')
  byOffset.forEach((entry, index) => {
    const next = byOffset[index + 1]?.headerOffset ?? directoryOffset
    const dataEnd = checkHeader(view, entry, directoryOffset)
    if (dataEnd > next) throw refused(entry.path, 'overlaps another one; pack the archive again')
    if (dataEnd < next && !isDescriptor(view, dataEnd, next, entry))
      throw refused(entry.path, 'is followed by data of no entry; pack the archive again')
    const from = view.byteOffset + dataEnd - entry.packedBytes
    packed.set(entry, new Uint8Array(view.buffer, from, entry.packedBytes))
  })
  return packed
}

/** The offset after the packed data of the entry. */
function checkHeader(view: DataView, entry: Entry, limit: number): number {
  const at = entry.headerOffset
  if (at + HEADER_BYTES > limit || view.getUint32(at, true) !== HEADER)
    throw refused(entry.path, 'is not where the archive says; pack the archive again')
  const flags = view.getUint16(at + 6, true)
  const nameLength = view.getUint16(at + 26, true)
  const dataAt = at + HEADER_BYTES + nameLength + view.getUint16(at + 28, true)
  if (dataAt + entry.packedBytes > limit)
    throw refused(entry.path, 'reaches past the end of the archive; pack the archive again')
  const same =
    isSameName(view, at + HEADER_BYTES, nameLength, entry.rawName) &&
    view.getUint16(at + 8, true) === entry.method &&
    (flags & ENCRYPTED) === 0 &&
    agreesOnSizes(view, at, entry, (flags & HAS_DESCRIPTOR) !== 0)
  if (!same)
    throw refused(entry.path, 'has two headers that contradict each other; pack the archive again')
  return dataAt + entry.packedBytes
}

function isSameName(view: DataView, at: number, length: number, name: Uint8Array): boolean {
  if (length !== name.length) return false
  return name.every((byte, index) => view.getUint8(at + index) === byte)
}

// With a data descriptor the local values are zero until then; with zip64 they are all ones.
function agreesOnSizes(view: DataView, at: number, entry: Entry, later: boolean): boolean {
  const agrees = (offset: number, value: number) => {
    const local = view.getUint32(at + offset, true)
    return local === value || (later && local === 0)
  }
  const agreesOrLong = (offset: number, value: number) =>
    agrees(offset, value) || view.getUint32(at + offset, true) === 0xffffffff
  return (
    agrees(14, entry.crc) && agreesOrLong(18, entry.packedBytes) && agreesOrLong(22, entry.bytes)
  )
}

/** Whether `[from, to)` is the data descriptor of the entry, in any of the four forms in use. */
function isDescriptor(view: DataView, from: number, to: number, entry: Entry): boolean {
  const signed = view.byteLength >= from + 4 && view.getUint32(from, true) === DESCRIPTOR
  const at = signed && to - from !== 12 && to - from !== 20 ? from + 4 : from
  if (to - at !== 12 && to - at !== 20) return false
  const long = to - at === 20
  const size = (offset: number) =>
    long ? Number(view.getBigUint64(offset, true)) : view.getUint32(offset, true)
  return (
    view.getUint32(at, true) === entry.crc &&
    size(at + 4) === entry.packedBytes &&
    size(at + (long ? 12 : 8)) === entry.bytes
  )
}

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
