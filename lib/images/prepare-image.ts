import { open, readFile, rm } from 'node:fs/promises'
import type sharpModule from 'sharp'
import type { Metadata } from 'sharp'
import { AppError } from '@/lib/errors'
import { withDecoder } from '@/lib/sharp'
import { damaged } from './strip/parts'
import {
  detectImageType,
  IMAGE_TYPES,
  type ImageType,
  SIGNATURE_BYTES,
  stripMetadata,
} from './strip-metadata'

type Sharp = typeof sharpModule

/** A file that is safe to store. `width` and `height` as shown, in pixels; of one frame. */
export type PreparedImage = {
  path: string
  type: ImageType
  extension: string
  mediaType: string
  bytes: number
  width: number
  height: number
}

/** Of an animation; hundreds of thousands of one-pixel frames would keep a decoder busy too. */
const MAX_FRAMES = 5000
/** Seconds for the decoding of one image, without the wait for its turn. */
const DECODE_TIMEOUT_S = 20

/**
 * Checks the uploaded file at `from` and writes what may be stored of it to `to`: the same pixels
 * without its metadata. Throws `unsupported_media_type` for a type that is not accepted,
 * `too_large` before anything is decoded when all frames together have more than `maxPixels`, and
 * `invalid_input` for an image that does not decode without a warning; `to` is gone then.
 */
export async function prepareImage(
  from: string,
  to: string,
  maxPixels: number,
): Promise<PreparedImage> {
  const type = detectImageType(await readHead(from))
  if (!type) throw unsupported()
  return withDecoder(async (sharp) => {
    const metadata = await readMetadata(sharp, from, type)
    countPixels(metadata, maxPixels)
    const parts = stripMetadata(type, await readFile(from), metadata.orientation ?? 1)
    try {
      const bytes = await writeParts(to, parts)
      await decode(sharp, to)
      const { extension, mediaType } = IMAGE_TYPES[type]
      return { path: to, type, extension, mediaType, bytes, ...shownSize(metadata) }
    } catch (error) {
      await rm(to, { force: true })
      throw error
    }
  })
}

const unsupported = () => {
  const message = 'Send a PNG, JPEG, GIF, WebP or AVIF image; the file is none of these'
  return new AppError('unsupported_media_type', message, {
    validations: [{ field: 'file', error: message }],
  })
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(SIGNATURE_BYTES) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Reads the header only. The decoder detects the type too, and must find the same one. Ignores
 * warnings: the decoding of the stored file, which has no stray bytes, reports them.
 */
async function readMetadata(sharp: Sharp, path: string, type: ImageType): Promise<Metadata> {
  const options = { failOn: 'error', limitInputPixels: false, pages: -1 } as const
  const metadata = await sharp(path, options)
    .metadata()
    .catch((cause: unknown) => {
      throw damaged('its header cannot be read', cause)
    })
  if (metadata.format !== (type === 'avif' ? 'heif' : type)) throw unsupported()
  if (type === 'avif' && metadata.compression !== 'av1') throw unsupported()
  return metadata
}

function countPixels({ width, height, pageHeight, pages = 1 }: Metadata, maxPixels: number): void {
  if (pages > MAX_FRAMES)
    throw new AppError('too_large', `The animation has more than ${MAX_FRAMES} frames`)
  const pixels = width * (pageHeight ?? height) * pages
  if (pixels <= maxPixels) return
  const frames = pages > 1 ? ` in its ${pages} frames` : ''
  const size = `${Math.ceil(pixels / 1e6)} megapixels${frames}`
  throw new AppError(
    'too_large',
    `The image has ${size}; at most ${maxPixels / 1e6} megapixels are taken`,
  )
}

function shownSize(metadata: Metadata): { width: number; height: number } {
  const { width, orientation = 1 } = metadata
  const height = metadata.pageHeight ?? metadata.height
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

async function writeParts(path: string, parts: Buffer[]): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for (const part of parts) await handle.appendFile(part)
  } finally {
    await handle.close()
  }
  return parts.reduce((total, part) => total + part.length, 0)
}

/** Decodes every pixel of every frame, keeping none of them. */
async function decode(sharp: Sharp, path: string): Promise<void> {
  await sharp(path, { failOn: 'warning', limitInputPixels: false, pages: -1 })
    .resize({ width: 8, height: 8, fit: 'fill', fastShrinkOnLoad: false })
    .timeout({ seconds: DECODE_TIMEOUT_S })
    .raw()
    .toBuffer()
    .catch((cause: unknown) => {
      throw damaged('its pixels cannot be read', cause)
    })
}
