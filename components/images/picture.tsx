import { ImageOffIcon } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import type { Image } from '@/lib/images/contract'
import { type ThumbnailWidth, thumbnailUri } from '@/lib/images/framing-contract'

type Props = {
  src: string
  srcSet?: string
  /** Empty where the name stands beside it. */
  alt?: string
  className?: string
  eager?: boolean
}

/** An image in a box of a size of its own, so that nothing moves when it arrives. */
export function Picture({ src, srcSet, alt = '', className, eager }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  if (broken === src) {
    return (
      <span className={cn('grid place-items-center bg-muted text-muted-foreground', className)}>
        <ImageOffIcon aria-hidden className="size-5" strokeWidth={1.5} />
        <span className="sr-only">{alt ? `${alt} can’t be shown` : 'It can’t be shown'}</span>
      </span>
    )
  }
  return (
    // biome-ignore lint/performance/noImgElement: the storage makes the smaller forms
    <img
      src={src}
      srcSet={srcSet}
      alt={alt}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      draggable={false}
      onError={() => setBroken(src)}
      className={className}
    />
  )
}

/** A pattern behind the transparent parts of an image. */
export const checkerClass =
  'bg-[repeating-conic-gradient(var(--muted)_0_25%,var(--card)_0_50%)] bg-[length:16px_16px]'

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
