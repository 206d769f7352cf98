import { damaged, orientationExif, partsOf, slice, uint8 } from './parts'

const KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const HAS_EXIF = 0x08
const HAS_XMP = 0x04

/** The parts of a WebP, all frames, without Exif, XMP, unknown chunks and what follows its end. */
export function stripWebp(bytes: Buffer, orientation: number): Buffer[] {
  const end = 8 + slice(bytes, 4, 8).readUInt32LE()
  const isExtended = slice(bytes, 12, 16).toString('latin1') === 'VP8X'
  const parts = partsOf(slice(bytes, 0, end))
  for (let at = 12; at < end; ) {
    const type = slice(bytes, at, at + 4).toString('latin1')
    const length = slice(bytes, at + 4, at + 8).readUInt32LE()
    const next = at + 8 + length + (length % 2)
    slice(bytes, at, at + 8 + length)
    if (type === 'VP8X') clearFlags(bytes, at, orientation > 1)
    if (KEPT.has(type)) parts.keep(at, Math.min(next, end))
    if (KEPT.has(type) && next > end) parts.add(Buffer.alloc(1)) // the last byte of padding is often left out
    at = next
  }
  if (isExtended && orientation > 1) parts.add(exifChunk(orientation))
  return withHeader(parts.all())
}

/** Overwritten in place: the flags state which chunks there are. */
function clearFlags(bytes: Buffer, at: number, hasExif: boolean): void {
  const flags = uint8(bytes, at + 8)
  bytes.writeUInt8((flags & ~HAS_EXIF & ~HAS_XMP) | (hasExif ? HAS_EXIF : 0), at + 8)
}

function exifChunk(orientation: number): Buffer {
  const body = orientationExif(orientation)
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

function withHeader(chunks: Buffer[]): Buffer[] {
  const size = chunks.reduce((total, chunk) => total + chunk.length, 0)
  if (size === 0) throw damaged('it holds no image')
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(size + 4, 4)
  return [head, ...chunks]
}
