import type { ImageType } from './image-type'
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
