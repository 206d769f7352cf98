/** Pixels. A fixed list, so that clients can't fill the disk with other sizes. */
export const THUMBNAIL_WIDTHS = [64, 128, 256, 512, 1024] as const
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number]

/**
 * Address of a smaller form of an image. `query` is what else is said of it on the disk, `crop` at Cloudinary.
 * Apart from the framing of images, since a table needs this and none of that.
 */
export const resizedUri = (
  secureUri: string,
  width: ThumbnailWidth,
  { query = '', crop = '' } = {},
): string =>
  secureUri.includes('/api/images/files/')
    ? `${secureUri}?w=${width}${query}`
    : secureUri.replace('/upload/', `/upload/${crop}c_limit,w_${width}/f_auto,q_auto/`)
