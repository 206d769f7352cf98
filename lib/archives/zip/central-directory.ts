import { crc32 } from '@/lib/values/crc32'
import type { EndRecord } from './end-record'
import { DOS_HOSTS, damaged, decodeName, hasWindowsPaths, refused, toLabel, toPath } from './names'

/** One header of the central directory, checked; sizes in bytes. */
export type Entry = {
  /** Relative, `/` between its parts; a folder's ends with `/`. */
  path: string
  folder: boolean
  /** The name as in the header. */
  rawName: Uint8Array
  method: number
  crc: number
  packedBytes: number
  /** Declared, so possibly false. */
  bytes: number
  headerOffset: number
}

const HEADER = 0x02014b50
const HEADER_BYTES = 46
/** The method of content that is not packed. */
export const STORED = 0
const DEFLATED = 8
/** Encryption, strong encryption, masked headers: bits 0, 6 and 13. */
const ENCRYPTED = 0x2041
/** Bit 5: the content is a patch of another file. */
const PATCH = 0x20

/**
 * Reads all headers of the central directory (APPNOTE 4.3.12) in their order. Throws `invalid_input`
 * unless their number matches the end record and they fill the directory, and for every entry that is
 * encrypted, uses an unknown method, is neither file nor folder, or whose name is no plain relative path.
 */
export function readCentralDirectory(view: DataView, end: EndRecord, maxDepth: number): Entry[] {
  const headers: Header[] = []
  let at = end.directoryOffset
  for (let index = 0; index < end.entryCount; index++) {
    const header = readHeader(view, at, end.directoryEnd)
    headers.push(header)
    at = header.end
  }
  if (at !== end.directoryEnd) throw damaged('it holds more entries than its end record says')
  const named = headers.map(readName)
  const isWindows = hasWindowsPaths(named.map(({ header, name }) => ({ name, host: header.host })))
  return named.map((one) => toEntry(one, isWindows, maxDepth))
}

type Header = ReturnType<typeof readHeader>

function readHeader(view: DataView, at: number, limit: number) {
  if (at + HEADER_BYTES > limit || view.getUint32(at, true) !== HEADER)
    throw damaged('it holds fewer entries than its end record says')
  const nameEnd = at + HEADER_BYTES + view.getUint16(at + 28, true)
  const extraEnd = nameEnd + view.getUint16(at + 30, true)
  const end = extraEnd + view.getUint16(at + 32, true)
  if (end > limit) throw damaged('an entry reaches past the end of its directory')
  return {
    end,
    rawName: slice(view, at + HEADER_BYTES, nameEnd),
    extra: slice(view, nameEnd, extraEnd),
    host: view.getUint8(at + 5),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    attributes: view.getUint32(at + 38, true),
    sizes: {
      packedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      disk: view.getUint16(at + 34, true),
      headerOffset: view.getUint32(at + 42, true),
    },
  }
}

const slice = (view: DataView, from: number, to: number) =>
  new Uint8Array(view.buffer, view.byteOffset + from, to - from)

function readName(header: Header) {
  const { rawName, flags } = header
  const label = toLabel(rawName)
  const fields = readExtraFields(header.extra, label)
  const flagged = (flags & 0x800) !== 0
  const nameBytes = (flagged ? null : unicodePath(rawName, fields, label)) ?? rawName
  return { header, fields, name: decodeName(nameBytes), nameLength: nameBytes.length }
}

function toEntry(named: ReturnType<typeof readName>, isWindows: boolean, maxDepth: number): Entry {
  const { header, fields } = named
  const { rawName, flags, method, crc } = header
  const name = isWindows ? named.name.replaceAll('\\', '/') : named.name
  const path = toPath(name, named.nameLength, maxDepth)
  const folder = path === '' || path.endsWith('/')
  if (flags & ENCRYPTED) throw refused(path, 'is encrypted; pack the archive without a password')
  if (flags & PATCH || (method !== STORED && method !== DEFLATED))
    throw refused(path, `is packed by method ${method}; pack the archive with "deflate"`)
  checkAttributes({ path, folder, host: header.host, attributes: header.attributes })
  const { disk, ...sizes } = resolveZip64(header.sizes, fields, path)
  if (disk !== 0) throw refused(path, 'is on another disk; pack the archive as a single file')
  return { path, folder, rawName, method, crc, ...sizes }
}

const UNIX_HOSTS = [3, 19]
/** File types in the upper four bits of a Unix mode; 0 if the tool wrote none. */
const NONE = 0
const FOLDER = 4
const FILE = 8
const LINK = 10
/** Written by Info-ZIP for content from a pipe. */
const PIPE = 1
const DOS_FOLDER = 0x10
const DOS_LINK = 0x400

/**
 * Throws `invalid_input` when an entry's attributes mark it as a link or a device, or as a folder where
 * its name marks a file. (jszip would drop the content of a file with a folder's attributes.)
 */
function checkAttributes(entry: {
  path: string
  folder: boolean
  /** The operating system of the attributes, APPNOTE 4.4.2. */
  host: number
  attributes: number
}): void {
  const { path, folder, host, attributes } = entry
  const type = attributes >>> 28
  if (type === LINK || (DOS_HOSTS.includes(host) && attributes & DOS_LINK))
    throw refused(path, 'is a symbolic link; put the file itself in the archive')
  const expected = folder ? [NONE, FOLDER] : [NONE, FILE, PIPE]
  const wrongType = UNIX_HOSTS.includes(host) && !expected.includes(type)
  if (wrongType || (!folder && attributes & DOS_FOLDER))
    throw refused(
      path,
      'is not marked as the plain file or folder that its name says; pack it again',
    )
}

type Sizes = { bytes: number; packedBytes: number; headerOffset: number; disk: number }

const ZIP64 = 0x0001
const UNICODE_PATH = 0x7075

/** The extra fields of a central header by id (APPNOTE 4.5), each the bytes of its value. */
function readExtraFields(extra: Uint8Array, name: string): Map<number, Uint8Array> {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength)
  const fields = new Map<number, Uint8Array>()
  // Some tools leave up to three bytes of padding at the end.
  for (let at = 0; at + 4 <= extra.length; ) {
    const id = view.getUint16(at, true)
    const end = at + 4 + view.getUint16(at + 2, true)
    if (end > extra.length) throw refused(name, 'has a broken extra field; pack the archive again')
    // Only the fields read here are checked; tools disagree about which of two duplicates to read.
    if (fields.has(id) && (id === ZIP64 || id === UNICODE_PATH))
      throw refused(name, 'has an extra field twice; pack the archive again')
    fields.set(id, extra.subarray(at + 4, end))
    at = end
  }
  return fields
}

/**
 * Replaces fields that are all ones by their 64-bit values (APPNOTE 4.5.3): only those are
 * present, in this order. A field that is all ones without such a value is refused.
 */
function resolveZip64(sizes: Sizes, fields: Map<number, Uint8Array>, name: string): Sizes {
  const value = fields.get(ZIP64) ?? new Uint8Array()
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
  let at = 0
  const next = (current: number, mark: number, width: 4 | 8) => {
    if (current !== mark) return current
    if (at + width > value.length)
      throw refused(name, 'lacks a zip64 size or offset; pack the archive again')
    at += width
    return width === 8 ? Number(view.getBigUint64(at - 8, true)) : view.getUint32(at - 4, true)
  }
  return {
    bytes: next(sizes.bytes, 0xffffffff, 8),
    packedBytes: next(sizes.packedBytes, 0xffffffff, 8),
    headerOffset: next(sizes.headerOffset, 0xffffffff, 8),
    disk: next(sizes.disk, 0xffff, 4),
  }
}

/** The bytes of the Info-ZIP Unicode path (APPNOTE 4.6.9), null without one. */
function unicodePath(
  rawName: Uint8Array,
  fields: Map<number, Uint8Array>,
  name: string,
): Uint8Array | null {
  const value = fields.get(UNICODE_PATH)
  if (!value) return null
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
  const fits = value.length > 5 && value[0] === 1 && view.getUint32(1, true) === crc32(rawName)
  if (!fits) throw refused(name, 'has a second, outdated name; pack the archive again')
  return value.subarray(5)
}
