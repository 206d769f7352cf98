import { damaged, orientationExif, slice, uint8, uint16, uint32 } from './parts'

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

/** A box of ISO/IEC 14496-12: `bytes[start, end)`, its content from `content`. */
type Box = { type: string; start: number; content: number; end: number }

/** Real files have dozens; a file made of empty ones would have a million. */
const MAX_BOXES = 10_000

/** The boxes that fill `bytes[start, end)`. */
function readBoxes(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let at = start; at < end; ) {
    const box = readBox(bytes, at, end)
    if (boxes.push(box) > MAX_BOXES) throw damaged('it has too many boxes')
    at = box.end
  }
  return boxes
}

function readBox(bytes: Buffer, start: number, limit: number): Box {
  const type = slice(bytes, start + 4, start + 8).toString('latin1')
  const short = uint32(bytes, start)
  const content = start + (short === 1 ? 16 : 8)
  const length = short === 1 ? longLength(bytes, start + 8) : short
  const end = length === 0 ? limit : start + length
  if (end < content || end > limit) throw damaged('a box has a wrong length')
  return { type, start, content, end }
}

const longLength = (bytes: Buffer, at: number) => Number(slice(bytes, at, at + 8).readBigUInt64BE())

/** Turns a box in place into one that readers skip, of the same length, and clears its content. */
function blankBox(bytes: Buffer, { start, content, end }: Box): void {
  bytes.write('free', start + 4, 'latin1')
  bytes.fill(0, content, end)
}

/** Items of a `meta` box that are no part of the picture: type and position of their bytes. */
type MetadataItem = { type: string; extents: { start: number; end: number }[] }

/** Exif and XMP of a HEIF `meta` box (ISO/IEC 23008-12, Annex A). */
function findMetadataItems(bytes: Buffer, meta: Box): MetadataItem[] {
  const boxes = readBoxes(bytes, meta.content + 4, meta.end)
  const named = (type: string) => boxes.find((box) => box.type === type)
  const infos = named('iinf')
  const locations = named('iloc')
  if (!infos || !locations) return []
  const types = readItemTypes(bytes, infos)
  const items = readLocations(bytes, locations, named('idat'))
    .map(({ id, extents }) => ({ type: types.get(id) ?? '', extents }))
    .filter(({ type }) => METADATA_TYPES.has(type))
  const lengths = items.flatMap(({ extents }) => extents.map(({ start, end }) => end - start))
  if (lengths.reduce((total, length) => total + length, 0) > bytes.length)
    throw damaged('its parts overlap')
  return items
}

/**
 * Of one file; each takes some bytes, or none when the file says that its numbers have no digits.
 */
const MAX_EXTENTS = 10_000

const METADATA_TYPES = new Set(['Exif', 'mime', 'uri '])

function readItemTypes(bytes: Buffer, box: Box): Map<number, string> {
  const counted = box.content + 4 + (uint8(bytes, box.content) === 0 ? 2 : 4)
  const entries = readBoxes(bytes, counted, box.end).map(({ content }): [number, string] => {
    const isLong = uint8(bytes, content) > 2
    const id = isLong ? uint32(bytes, content + 4) : uint16(bytes, content + 4)
    const at = content + (isLong ? 10 : 8)
    return [id, slice(bytes, at, at + 4).toString('latin1')]
  })
  return new Map(entries)
}

type Location = { id: number; extents: { start: number; end: number }[] }

/** Reads numbers one after the other; `size` in bytes, 0 reads nothing and gives 0. */
function reader(bytes: Buffer, from: number): (size: number) => number {
  let at = from
  return (size) => {
    const value = size === 0 ? 0 : BigInt(`0x${slice(bytes, at, at + size).toString('hex')}`)
    at += size
    return Number(value)
  }
}

function readLocations(bytes: Buffer, box: Box, idat: Box | undefined): Location[] {
  const version = uint8(bytes, box.content)
  const next = reader(bytes, box.content + 4)
  const sizes = next(2)
  const widths = {
    offset: sizes >> 12,
    length: (sizes >> 8) & 15,
    base: (sizes >> 4) & 15,
    index: version > 0 ? sizes & 15 : 0,
    id: version < 2 ? 2 : 4,
  }
  const count = next(widths.id)
  const locations: Location[] = []
  let total = 0
  for (let item = 0; item < count; item++) {
    const id = next(widths.id)
    const method = version > 0 ? next(2) & 15 : 0
    next(2) // the reference to another file
    const base = next(widths.base) + originOf(method, idat)
    const extentCount = next(2)
    total += extentCount + 1
    if (total > MAX_EXTENTS) throw damaged('it has too many parts')
    const extents = Array.from({ length: extentCount }, () => {
      next(widths.index)
      const start = base + next(widths.offset)
      return { start, end: start + next(widths.length) }
    })
    locations.push({ id, extents })
  }
  return locations
}

/** What offsets count from: the file, or the box `idat`. */
function originOf(method: number, idat: Box | undefined): number {
  if (method === 0) return 0
  if (method === 1 && idat) return idat.content
  throw damaged('the positions of its parts are invalid')
}
