import { crc32 } from '@/lib/values/crc32'
import { stripAvif } from './strip/avif'
import { stripJpeg } from './strip/jpeg'
import { damaged, orientationExif, partsOf, slice, uint8, uint32 } from './strip/parts'

/**
 * The parts of the file without metadata about people and places: Exif, GPS, XMP, IPTC, comments,
 * previews, and whatever follows its end. Pixels, frames and colour profiles stay to the bit; an
 * orientation other than 1 stays too, as the only entry of a new Exif. May write over `bytes`.
 * Throws `invalid_input` when the file is not built like one of its type.
 */
export function stripMetadata(type: ImageType, bytes: Buffer, orientation: number): Buffer[] {
  switch (type) {
    case 'png':
      return stripPng(bytes, orientation)
    case 'jpeg':
      return stripJpeg(bytes, orientation)
    case 'gif':
      return stripGif(bytes)
    case 'webp':
      return stripWebp(bytes, orientation)
    case 'avif':
      return stripAvif(bytes)
  }
}

/** The accepted formats. `extension` is the format's name in records and addresses. */
export const IMAGE_TYPES = {
  png: { extension: 'png', mediaType: 'image/png' },
  jpeg: { extension: 'jpg', mediaType: 'image/jpeg' },
  gif: { extension: 'gif', mediaType: 'image/gif' },
  webp: { extension: 'webp', mediaType: 'image/webp' },
  avif: { extension: 'avif', mediaType: 'image/avif' },
} as const
export type ImageType = keyof typeof IMAGE_TYPES

/** How many first bytes `detectImageType` reads. */
export const SIGNATURE_BYTES = 64

/** The type by the first bytes of a file; null when it is not accepted. */
export function detectImageType(head: Uint8Array): ImageType | null {
  const text = Buffer.from(head.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return 'webp'
  return isAvif(text) ? 'avif' : null
}

/** ISO base media with the brand `avif` or `avis`, as the major one or among the compatible. */
function isAvif(text: string): boolean {
  if (text.slice(4, 8) !== 'ftyp') return false
  const size = Buffer.from(text.slice(0, 4), 'latin1').readUInt32BE()
  const brands = text.slice(8, Math.min(size, SIGNATURE_BYTES)).match(/[\s\S]{4}/g) ?? []
  return brands.some((brand, at) => at !== 1 && /^avi[fs]$/.test(brand))
}

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const COMMENT = 0xfe
const APPLICATION = 0xff
/** Applications whose data changes how the image looks: loops and colours. */
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** The parts of a GIF, all frames, without comments, XMP and what follows its end. */
function stripGif(bytes: Buffer): Buffer[] {
  const parts = partsOf(bytes)
  let at = 13 + tableLength(uint8(bytes, 10))
  parts.keep(0, at)
  for (;;) {
    const kind = uint8(bytes, at)
    if (kind === TRAILER) {
      parts.keep(at, at + 1)
      return parts.all()
    }
    const end = kind === IMAGE ? endOfImage(bytes, at) : endOfExtension(bytes, at)
    if (kind === IMAGE || isKept(slice(bytes, at, end))) parts.keep(at, end)
    at = end
  }
}

/** Size of a colour table in bytes, from the flags before it. */
const tableLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function endOfImage(bytes: Buffer, at: number): number {
  const table = tableLength(uint8(bytes, at + 9))
  return endOfBlocks(bytes, at + 10 + table + 1)
}

function endOfExtension(bytes: Buffer, at: number): number {
  if (uint8(bytes, at) !== EXTENSION) throw damaged('it has a block of an unknown type')
  return endOfBlocks(bytes, at + 2)
}

/** Behind the empty block that ends a chain of them; each starts with its length. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let length = uint8(bytes, at); length > 0; length = uint8(bytes, at)) at += length + 1
  return at + 1
}

function isKept(extension: Buffer): boolean {
  const label = uint8(extension, 1)
  if (label === COMMENT) return false
  if (label !== APPLICATION) return true
  return KEPT_APPLICATIONS.has(extension.subarray(3, 14).toString('latin1'))
}

/** Chunks with the look of the image (PNG, third edition, §11); the others are about it. */
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
)
const SIGNATURE_LENGTH = 8

/** The parts of a PNG without texts, times, Exif, unknown chunks and what follows its end. */
function stripPng(bytes: Buffer, orientation: number): Buffer[] {
  const parts = partsOf(bytes)
  parts.keep(0, SIGNATURE_LENGTH)
  for (let at = SIGNATURE_LENGTH; ; ) {
    const end = at + 12 + uint32(bytes, at)
    const type = slice(bytes, at + 4, at + 8).toString('latin1')
    const chunk = slice(bytes, at, end)
    if ((at === SIGNATURE_LENGTH) !== (type === 'IHDR')) throw damaged('its header is missing')
    if (isCritical(type)) checkCritical(type, chunk)
    if (PNG_CHUNKS.has(type)) parts.keep(at, end)
    if (type === 'IHDR' && orientation > 1) parts.add(pngExif(orientation))
    if (type === 'IEND') return parts.all()
    at = end
  }
}

const isCritical = (type: string) => /^[A-Z]/.test(type)

function checkCritical(type: string, chunk: Buffer): void {
  if (!PNG_CHUNKS.has(type)) throw damaged('it has a chunk of an unknown type')
  const sum = chunk.readUInt32BE(chunk.length - 4)
  if (crc32(chunk.subarray(4, -4)) !== sum) throw damaged('a checksum is wrong')
}

function pngExif(orientation: number): Buffer {
  const typed = Buffer.concat([Buffer.from('eXIf'), orientationExif(orientation)])
  const chunk = Buffer.alloc(typed.length + 8)
  chunk.writeUInt32BE(typed.length - 4)
  typed.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(typed), typed.length + 4)
  return chunk
}

const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const HAS_EXIF = 0x08
const HAS_XMP = 0x04

/** The parts of a WebP, all frames, without Exif, XMP, unknown chunks and what follows its end. */
function stripWebp(bytes: Buffer, orientation: number): Buffer[] {
  const end = 8 + slice(bytes, 4, 8).readUInt32LE()
  const isExtended = slice(bytes, 12, 16).toString('latin1') === 'VP8X'
  const parts = partsOf(slice(bytes, 0, end))
  for (let at = 12; at < end; ) {
    const type = slice(bytes, at, at + 4).toString('latin1')
    const length = slice(bytes, at + 4, at + 8).readUInt32LE()
    const next = at + 8 + length + (length % 2)
    slice(bytes, at, at + 8 + length)
    if (type === 'VP8X') clearFlags(bytes, at, orientation > 1)
    if (WEBP_CHUNKS.has(type)) parts.keep(at, Math.min(next, end))
    if (WEBP_CHUNKS.has(type) && next > end) parts.add(Buffer.alloc(1)) // the last byte of padding is often left out
    at = next
  }
  if (isExtended && orientation > 1) parts.add(webpExif(orientation))
  return withHeader(parts.all())
}

/** Overwritten in place: the flags state which chunks there are. */
function clearFlags(bytes: Buffer, at: number, hasExif: boolean): void {
  const flags = uint8(bytes, at + 8)
  bytes.writeUInt8((flags & ~HAS_EXIF & ~HAS_XMP) | (hasExif ? HAS_EXIF : 0), at + 8)
}

function webpExif(orientation: number): Buffer {
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
