import { stripAvif } from './strip/avif'
import { stripGif } from './strip/gif'
import { stripJpeg } from './strip/jpeg'
import { stripPng } from './strip/png'
import { stripWebp } from './strip/webp'

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
