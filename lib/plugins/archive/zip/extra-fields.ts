import { crc32 } from '@/lib/values/crc32'
import { refused } from './refusals'

type Sizes = { bytes: number; packedBytes: number; headerOffset: number; disk: number }

const ZIP64 = 0x0001
const UNICODE_PATH = 0x7075

/** The extra fields of a central header by id (APPNOTE 4.5), each the bytes of its value. */
export function readExtraFields(extra: Uint8Array, name: string): Map<number, Uint8Array> {
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
export function resolveZip64(sizes: Sizes, fields: Map<number, Uint8Array>, name: string): Sizes {
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
export function unicodePath(
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
