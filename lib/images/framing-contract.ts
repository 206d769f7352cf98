import { resizedUri, type ThumbnailWidth } from './thumbnail-contract'

/** A point of an image as it is shown, in fractions of width and height. */
export type FocalPoint = { x: number; y: number }
/** A part of an image as it is shown, in fractions of width and height. */
export type Crop = FocalPoint & { width: number; height: number }

/** What smaller forms of an image show of it. */
export type Framing = { crop: Crop | null; focalPoint: FocalPoint | null }
/** Pixels. */
type Size = { width: number; height: number }
export type Framed = Framing & Size

/** Width to height of forms. A fixed list, so that clients can't fill the disk with others. */
export const ASPECTS = ['1:1', '4:3', '3:4', '16:9', '9:16'] as const
export type Aspect = (typeof ASPECTS)[number]

/** A part of an image in whole pixels, at least one each way. */
export type Region = Size & { left: number; top: number }

/**
 * What a form shows of an image: its crop, and of that the largest part of the wanted proportions around the
 * focal point, moved inside. Null for all of it.
 */
export function regionOf(image: Framed, aspect: Aspect | null): Region | null {
  const base = image.crop ? cropped(image, image.crop) : { left: 0, top: 0, ...sizeOf(image) }
  const region = aspect ? around(image, base, aspect) : base
  const isWhole = region.width === image.width && region.height === image.height
  return isWhole ? null : region
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height })

function cropped({ width, height }: Size, crop: Crop): Region {
  const [left, right] = span(crop.x, crop.width, width)
  const [top, bottom] = span(crop.y, crop.height, height)
  return { left, top, width: right - left, height: bottom - top }
}

/** First pixel, and the one after the last. */
function span(from: number, extent: number, pixels: number): [number, number] {
  const start = Math.min(Math.round(from * pixels), pixels - 1)
  const end = Math.min(Math.round((from + extent) * pixels), pixels)
  return [start, Math.max(end, start + 1)]
}

function around({ width, height, focalPoint }: Framed, base: Region, aspect: Aspect): Region {
  const [across = 1, down = 1] = aspect.split(':').map(Number)
  const size = {
    width: Math.max(1, Math.min(base.width, Math.round((base.height * across) / down))),
    height: Math.max(1, Math.min(base.height, Math.round((base.width * down) / across))),
  }
  const x = focalPoint ? focalPoint.x * width : base.left + base.width / 2
  const y = focalPoint ? focalPoint.y * height : base.top + base.height / 2
  return {
    left: inside(x - size.width / 2, base.left, base.width - size.width),
    top: inside(y - size.height / 2, base.top, base.height - size.height),
    ...size,
  }
}

const inside = (at: number, from: number, room: number) =>
  Math.min(Math.max(Math.round(at), from), from + room)

/** A text that differs between crops and focal points, for addresses that may be cached permanently. */
export function framingTag({ crop, focalPoint }: Framing): string {
  const numbers = [
    ...(crop ? [crop.x, crop.y, crop.width, crop.height] : []),
    ...(focalPoint ? [focalPoint.x, focalPoint.y] : []),
  ]
  return numbers.map((number) => Math.round(number * 1e6).toString(36)).join('-') || '0'
}

/** How far the proportions of two sizes of one picture may differ by rounding. */
const SAME_PROPORTIONS = 0.01

/**
 * The crop of an image after it got another content: the same part where the proportions are the same, so of
 * another resolution too; none where they are not. A focal point always stays.
 */
export function cropAfter(image: Size & { crop: Crop | null }, after: Size): Crop | null {
  const change = (after.width * image.height) / (after.height * image.width)
  return Math.abs(change - 1) <= SAME_PROPORTIONS ? image.crop : null
}

/** An image whose crop is not given is shown whole at Cloudinary, and as it is cropped on the disk. */
type Shown = { secureUri: string } & (Framed | { crop?: undefined })

/**
 * Address of a smaller form of an image, of its crop if it has one: never wider than `width` or than what it
 * shows. With `aspect`, of these proportions around the focal point. It is another one when crop or
 * focal point change.
 */
export function thumbnailUri(image: Shown, width: ThumbnailWidth, aspect?: Aspect): string {
  const proportions = aspect ? `&aspect=${aspect}` : ''
  const query = `${proportions}${image.crop === undefined ? '' : `&v=${framingTag(image)}`}`
  const region = image.crop === undefined ? null : regionOf(image, aspect ?? null)
  const crop = region
    ? `c_crop,h_${region.height},w_${region.width},x_${region.left},y_${region.top}/`
    : ''
  return resizedUri(image.secureUri, width, { query, crop })
}
