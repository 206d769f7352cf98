import { damaged, orientationExif, partsOf, slice, uint8, uint16 } from './parts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COM = 0xfe

/** Every scan is a pass over all pixels: thousands in a small file would keep a decoder busy. */
const MAX_SCANS = 50

/**
 * The parts of a JPEG without Exif, XMP, IPTC, comments, previews and what follows its end (a
 * second image, a film), each of which may reveal where it was taken. Colour profiles stay.
 */
export function stripJpeg(bytes: Buffer, orientation: number): Buffer[] {
  const parts = partsOf(bytes)
  parts.keep(0, 2)
  let exif = orientation > 1 ? exifSegment(orientation) : null
  let scans = 0
  for (let at = 2; ; ) {
    const { marker, start } = nextMarker(bytes, at)
    if (marker === EOI) {
      parts.keep(start - 2, start)
      return parts.all()
    }
    if (marker === SOS && ++scans > MAX_SCANS) throw damaged('it has too many scans')
    const end = endOfSegment(bytes, marker, start)
    // JFIF must be first; everything else may follow the Exif.
    if (exif && marker !== 0xe0) {
      parts.add(exif)
      exif = null
    }
    if (isKept(marker, slice(bytes, start - 2, end))) parts.keep(start - 2, end)
    at = end
  }
}

/**
 * The next marker from `at` on; `start` is behind it. Fill bytes and stray bytes before it are
 * passed over, as every browser does; they are not kept.
 */
function nextMarker(bytes: Buffer, at: number): { marker: number; start: number } {
  for (let start = at; ; ) {
    start = bytes.indexOf(0xff, start)
    if (start < 0) throw damaged('it ends too early')
    while (uint8(bytes, start) === 0xff) start++
    const marker = uint8(bytes, start++)
    if (marker !== 0x00) return { marker, start }
  }
}

function endOfSegment(bytes: Buffer, marker: number, start: number): number {
  const length = uint16(bytes, start)
  if (marker === SOI || length < 2) throw damaged('a segment has no length')
  return marker === SOS ? endOfScan(bytes, start + length) : start + length
}

/** Where coded data ends: at the next marker that is neither a stuffed 0xFF nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) throw damaged('it ends too early')
    const next = uint8(bytes, at + 1)
    const isData = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
  }
}

function isKept(marker: number, segment: Buffer): boolean {
  if (marker === COM) return false
  if (marker < 0xe0 || marker > 0xef) return true
  const name = segment.subarray(4, 16).toString('latin1')
  if (marker === 0xe0) return name.startsWith('JFIF\0')
  if (marker === 0xe2) return name.startsWith('ICC_PROFILE\0')
  return marker === 0xee && name.startsWith('Adobe')
}

function exifSegment(orientation: number): Buffer {
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationExif(orientation)])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
