import type { Crop, FocalPoint, Framing } from '@/lib/images/framing-contract'

/** The crop of an image that has none. */
export const WHOLE: Crop = { x: 0, y: 0, width: 1, height: 1 }

export type Size = { width: number; height: number }
/** By which a pointer or a key moves something, in fractions of the image. */
export type Step = { x: number; y: number }
/** The edges that a handle moves: left or right, upper or lower; 0 for none of the two. */
export type Handle = { x: -1 | 0 | 1; y: -1 | 0 | 1 }

const within = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), Math.max(least, most))

/** The crop elsewhere, inside the image. */
export const moveCrop = (crop: Crop, by: Step): Crop => ({
  ...crop,
  x: within(crop.x + by.x, 0, 1 - crop.width),
  y: within(crop.y + by.y, 0, 1 - crop.height),
})

/** The crop with the edges of `handle` elsewhere, at least a pixel of an image of `size`. */
export function resizeCrop(crop: Crop, handle: Handle, by: Step, size: Size): Crop {
  const [x, width] = resize(crop.x, crop.width, handle.x, by.x, 1 / size.width)
  const [y, height] = resize(crop.y, crop.height, handle.y, by.y, 1 / size.height)
  return { x, y, width, height }
}

function resize(
  from: number,
  extent: number,
  edge: -1 | 0 | 1,
  by: number,
  least: number,
): [number, number] {
  const end = from + extent
  if (edge < 0) {
    const start = within(from + by, 0, end - least)
    return [start, end - start]
  }
  return [from, edge > 0 ? within(extent + by, least, 1 - from) : extent]
}

export const movePoint = ({ x, y }: FocalPoint, by: Step): FocalPoint => ({
  x: within(x + by.x, 0, 1),
  y: within(y + by.y, 0, 1),
})

export const middleOf = ({ x, y, width, height }: Crop): FocalPoint => ({
  x: x + width / 2,
  y: y + height / 2,
})

/** The crop in pixels, rounded as forms are. */
export const pixelsOf = ({ x, y, width, height }: Crop, size: Size) => ({
  left: Math.round(x * size.width),
  top: Math.round(y * size.height),
  width: Math.max(1, Math.round((x + width) * size.width) - Math.round(x * size.width)),
  height: Math.max(1, Math.round((y + height) * size.height) - Math.round(y * size.height)),
})

type Pixels = ReturnType<typeof pixelsOf>

/** The crop of pixels, moved and cut to what there is. */
export function cropOf(pixels: Pixels, size: Size): Crop {
  const width = within(pixels.width, 1, size.width)
  const height = within(pixels.height, 1, size.height)
  const left = within(pixels.left, 0, size.width - width)
  const top = within(pixels.top, 0, size.height - height)
  return {
    x: left / size.width,
    y: top / size.height,
    width: width / size.width,
    height: height / size.height,
  }
}

/** What is sent: whole pixels, and no crop for all of the image. */
export function toFraming(crop: Crop, focalPoint: FocalPoint | null, size: Size): Framing {
  const pixels = pixelsOf(crop, size)
  const isWhole = pixels.width === size.width && pixels.height === size.height
  return { crop: isWhole ? null : cropOf(pixels, size), focalPoint }
}

/** What an arrow key moves by: a hundredth of the image, a thousandth with Alt. Null for other keys. */
export function stepOf({ key, altKey }: { key: string; altKey: boolean }): Step | null {
  const far = altKey ? 0.001 : 0.01
  if (key === 'ArrowLeft') return { x: -far, y: 0 }
  if (key === 'ArrowRight') return { x: far, y: 0 }
  if (key === 'ArrowUp') return { x: 0, y: -far }
  return key === 'ArrowDown' ? { x: 0, y: far } : null
}
