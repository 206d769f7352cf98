import type { Entry } from './central-directory'
import { damaged, refused } from './refusals'

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
