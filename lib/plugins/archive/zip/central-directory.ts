import { checkAttributes } from './attributes'
import type { EndRecord } from './end-record'
import { readExtraFields, resolveZip64, unicodePath } from './extra-fields'
import { decodeName, hasWindowsPaths, toLabel, toPath } from './names'
import { damaged, refused } from './refusals'

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
