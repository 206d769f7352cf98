import type { Image } from '@/lib/images/contract'
import { thumbnailUri } from '@/lib/images/framing-contract'
import type { ThumbnailWidth } from '@/lib/images/thumbnail-contract'
import { sourceOf } from './source-of'

export const thumbnailOf = (
  image: Parameters<typeof thumbnailUri>[0],
  width: ThumbnailWidth,
): string => sourceOf(thumbnailUri(image, width))

/** The last part of the public id: what an upload calls `assetId`. */
export const assetIdOf = ({ publicId, folder }: Pick<Image, 'publicId' | 'folder'>): string =>
  folder ? publicId.slice(folder.length + 1) : publicId
