import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { STORED, type ZipEntry } from '@/lib/archives/read-zip-directory'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import { crc32 } from '@/lib/values/crc32'
import { formatBytes } from '@/lib/values/format-bytes'
import { readAt } from '@/lib/values/read-at'
import { encodingOf } from '../read-text'
import { type BookParts, bookFault } from './book-parts'
import { type XmlEvents, XmlScanner } from './xml-scanner'

/** Of a sheet it may be a hundred rows whose only cell is the last one of a wide table. */
const PIECE_CHARS = 4 * 1024

/**
 * Scans a part in memory that does not depend on its size, and waits after each piece of it. `onBytes` gets the number of its
 * packed bytes read so far. Throws `FileFault`, and at the end of the current budget.
 */
export async function* scanPart(
  { path }: BookParts,
  entry: ZipEntry,
  events: XmlEvents,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<void> {
  const scanner = new XmlScanner(entry.path, events)
  for await (const text of partText(path, entry, onBytes)) {
    requireBudget(currentBudget())
    for (let from = 0; from < text.length; from += PIECE_CHARS) {
      scanner.push(text.slice(from, from + PIECE_CHARS))
      yield
    }
  }
  scanner.end()
}

/** Scans a whole part. Throws as `scanPart` does. */
export async function readPart(book: BookParts, entry: ZipEntry, events: XmlEvents): Promise<void> {
  for await (const _ of scanPart(book, entry, events));
}

async function* partText(path: string, entry: ZipEntry, onBytes: (bytes: number) => void) {
  let decoder: TextDecoder | undefined
  try {
    let isAfterReturn = false
    for await (const bytes of partBytes(path, entry, onBytes)) {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
      const text = decoder.decode(bytes, { stream: true })
      yield withLineFeeds(isAfterReturn && text.startsWith('\n') ? text.slice(1) : text)
      if (text !== '') isAfterReturn = text.endsWith('\r')
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw bookFault(`"${entry.path}" is not valid UTF-8`)
  }
}

/** In XML every end of a line is a line feed, unless it is written as an entity (XML 1.0, 2.11). */
const withLineFeeds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text

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
async function* partBytes(
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
