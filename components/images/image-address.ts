import type { Image } from '@/lib/images/contract'
import { type ThumbnailWidth, thumbnailUri } from '@/lib/images/framing-contract'

/**
 * The address under which this page loads an image. What the app serves itself is asked for where
 * the page came from: people may reach it by another name than the one in public addresses.
 */
export function sourceOf(uri: string): string {
  const at = uri.indexOf('/api/images/files/')
  return at < 0 ? uri : uri.slice(at)
}

export const thumbnailOf = (
  image: Parameters<typeof thumbnailUri>[0],
  width: ThumbnailWidth,
): string => sourceOf(thumbnailUri(image, width))

/** The last part of the public id: what an upload calls `assetId`. */
export const assetIdOf = ({ publicId, folder }: Pick<Image, 'publicId' | 'folder'>): string =>
  folder ? publicId.slice(folder.length + 1) : publicId
