import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

export const IMAGE_FORMATS = ['png', 'jpeg', 'gif', 'webp', 'avif'] as const
export type ImageFormat = (typeof IMAGE_FORMATS)[number]

/** Written into every kind of metadata of a format. */
export const SECRET = 'SECRET-POSITION-48.2082N'

/** A picture of two halves, red above blue, `width` by `height`, full of metadata. */
export async function makeImage(
  format: ImageFormat,
  { width = 40, height = 30, orientation = 1 } = {},
): Promise<Buffer> {
  const half = { width, height: Math.ceil(height / 2), channels: 3 as const }
  const red = await sharp({ create: { ...half, background: '#e01020' } })
    .png()
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: '#1020e0' } })
    .composite([{ input: red, top: 0, left: 0 }])
    .withExif({
      IFD0: { Copyright: SECRET, ImageDescription: SECRET, Orientation: String(orientation) },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 29/1', GPSAreaInformation: SECRET },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>${SECRET}</secret></x:xmpmeta>`)
    .withMetadata({ orientation })
    .toFormat(format, format === 'gif' ? {} : { quality: 80, effort: 1 })
    .toBuffer()
}

/** Noise, which can't be compressed: about `3 * side * side` bytes of PNG. */
export function makeNoise(side: number): Promise<Buffer> {
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** Frames of changing grey, `width` by `height` each. */
export function makeAnimation(
  format: 'gif' | 'webp',
  { width = 20, height = 10, frames = 5 } = {},
): Promise<Buffer> {
  const size = width * height
  const pixels = Buffer.alloc(size * frames * 3)
  for (let frame = 0; frame < frames; frame++)
    pixels.fill((frame * 199) % 256, frame * size * 3, (frame + 1) * size * 3)
  const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height }
  return sharp(pixels, { raw }).toFormat(format, { loop: 3 }).toBuffer()
}

/** Raw pixels of all frames, upright. */
export const pixelsOf = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes, { pages: -1 }).autoOrient().raw().toBuffer()
