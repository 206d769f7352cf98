/** Pixels. A fixed list, so that clients can't fill the disk with other sizes. */
export const THUMBNAIL_WIDTHS = [64, 128, 256, 512, 1024] as const
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number]

/** Address of a smaller form of an image, never wider than the image itself. */
export function thumbnailUri(image: { secureUri: string }, width: ThumbnailWidth): string {
  const { secureUri } = image
  if (secureUri.includes('/api/images/files/')) return `${secureUri}?w=${width}`
  return secureUri.replace('/upload/', `/upload/c_limit,w_${width}/f_auto,q_auto/`)
}
