import { findMetadataItems } from './avif-items'
import { blankBox, readBoxes } from './boxes'
import { slice } from './damaged'
import { orientationExif } from './orientation-exif'

/** Boxes of the outermost level that make up the picture. */
const KEPT = new Set(['ftyp', 'meta', 'mdat', 'moov', 'free', 'skip'])

/**
 * An AVIF whose Exif, XMP and unknown boxes are blank. Offsets all over the file count its bytes,
 * so nothing is removed: `bytes` itself is overwritten, and keeps its length. (The orientation of
 * an AVIF is in the picture's own properties, never in Exif.)
 */
export function stripAvif(bytes: Buffer): Buffer[] {
  for (const box of readBoxes(bytes, 0, bytes.length)) {
    if (!KEPT.has(box.type)) blankBox(bytes, box)
    if (box.type === 'moov') blankUserData(bytes, box.content, box.end)
    if (box.type !== 'meta') continue
    for (const { type, extents } of findMetadataItems(bytes, box))
      for (const { start, end } of extents) blankItem(slice(bytes, start, end), type)
  }
  return [bytes]
}

function blankUserData(bytes: Buffer, start: number, end: number, inTrack = false): void {
  for (const box of readBoxes(bytes, start, end)) {
    if (box.type === 'udta' || box.type === 'meta' || box.type === 'uuid') blankBox(bytes, box)
    if (box.type === 'trak' && !inTrack) blankUserData(bytes, box.content, box.end, true)
  }
}

// The rest must be readable as its type: an empty Exif, or a text of blanks.
function blankItem(item: Buffer, type: string): void {
  item.fill(type === 'Exif' ? 0 : ' ')
  if (type !== 'Exif') return
  const exif = orientationExif(1)
  if (item.length >= 4 + exif.length) exif.copy(item, 4)
}
