import { type Aspect, type Framed, framingTag, regionOf } from './framing-contract'

/** Pixels. A fixed list, so that clients can't fill the disk with other sizes. */
export const THUMBNAIL_WIDTHS = [64, 128, 256, 512, 1024] as const
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number]

/** An image whose crop is not given is shown whole at Cloudinary, and as it is cropped on the disk. */
type Shown = { secureUri: string } & (Framed | { crop?: undefined })

/**
 * Address of a smaller form of an image, of its crop if it has one: never wider than `width` or than what it
 * shows. With `aspect`, of these proportions around the focal point. It is another one when crop or
 * focal point change.
 */
export function thumbnailUri(image: Shown, width: ThumbnailWidth, aspect?: Aspect): string {
  const { secureUri } = image
  if (secureUri.includes('/api/images/files/')) {
    const proportions = aspect ? `&aspect=${aspect}` : ''
    return `${secureUri}?w=${width}${proportions}${image.crop === undefined ? '' : `&v=${framingTag(image)}`}`
  }
  const region = image.crop === undefined ? null : regionOf(image, aspect ?? null)
  const crop = region
    ? `c_crop,h_${region.height},w_${region.width},x_${region.left},y_${region.top}/`
    : ''
  return secureUri.replace('/upload/', `/upload/${crop}c_limit,w_${width}/f_auto,q_auto/`)
}
