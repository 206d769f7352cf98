import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { STORED, type ZipEntry } from '@/lib/plugins/read-zip-directory'
import { crc32 } from '@/lib/values/crc32'
import { formatBytes } from '@/lib/values/format-bytes'
import { readAt } from '@/lib/values/read-at'
import { bookFault } from './book-fault'

/** A part that unpacks to more than so many times its size is made to be expensive: equal rows reach 15, empty ones 30. */
const MAX_RATIO = 50
/** A small one may. */
const FREE_BYTES = 32 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024
const LOCAL_HEADER_BYTES = 30
const LOCAL_HEADER = 0x04034b50

/**
 * The content of a part in chunks, held to what the directory declares. `onBytes` gets the number of its packed bytes read so far.
 * Throws `FileFault`.
 */
export async function* partBytes(
  path: string,
  entry: ZipEntry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  refuseBomb(entry)
  if (entry.packedBytes === 0) return
  const packed = await packedStream(path, entry)
  const inflater = entry.method === STORED ? null : createInflateRaw({ chunkSize: CHUNK_BYTES })
  // What goes wrong is thrown where it is read.
  const content: Readable = inflater ? pipeline(packed, inflater, () => {}) : packed
  let [size, crc] = [0, 0]
  const read = () => (inflater ? inflater.bytesWritten : size)
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > entry.bytes) throw bookFault(`"${entry.path}" is larger than it declares`)
      crc = crc32(chunk, crc)
      onBytes(read())
      yield chunk
    }
  } catch (error) {
    throw isOfZlib(error) ? bookFault(`"${entry.path}" is damaged`) : error
  } finally {
    packed.destroy()
  }
  if (size !== entry.bytes || crc !== entry.crc || read() !== entry.packedBytes)
    throw bookFault(`"${entry.path}" does not match its checksum or size`)
}

function refuseBomb({ path, bytes, packedBytes }: ZipEntry): void {
  if (bytes <= FREE_BYTES + MAX_RATIO * packedBytes) return
  const sizes = `${formatBytes(packedBytes)} that unpack to ${formatBytes(bytes)}`
  throw bookFault(`"${path}" has ${sizes}`)
}

const isOfZlib = (error: unknown) => String((error as NodeJS.ErrnoException).code).startsWith('Z_')

async function packedStream(path: string, { headerOffset, packedBytes, ...entry }: ZipEntry) {
  const header = await readAt(path, headerOffset, LOCAL_HEADER_BYTES)
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER)
    throw bookFault(`"${entry.path}" is not where the directory says`)
  const start =
    headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  const end = start + packedBytes - 1
  return createReadStream(path, { start, end, highWaterMark: CHUNK_BYTES })
}
