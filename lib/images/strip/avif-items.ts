import { type Box, readBoxes } from './boxes'
import { damaged, slice, uint8, uint16, uint32 } from './damaged'

/** Items of a `meta` box that are no part of the picture: type and position of their bytes. */
export type MetadataItem = { type: string; extents: { start: number; end: number }[] }

/** Exif and XMP of a HEIF `meta` box (ISO/IEC 23008-12, Annex A). */
export function findMetadataItems(bytes: Buffer, meta: Box): MetadataItem[] {
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
