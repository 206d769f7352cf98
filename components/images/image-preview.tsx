import { cn } from '@/components/ui/cn'
import type { Image } from '@/lib/images/contract'
import { sourceOf, thumbnailOf } from './image-source'
import { checkerClass, Picture } from './picture'

/** The image in a box of a fixed height; opens in full in a new tab. */
export function ImagePreview({ image }: { image: Image }) {
  const { name, context, secureUri, width, format, crop } = image
  // A smaller form of an animation stands still, and one of a small image is no smaller.
  const asIs = !crop && (format === 'gif' || width <= 1024)
  const src = asIs ? sourceOf(secureUri) : thumbnailOf(image, 1024)
  return (
    <a
      href={sourceOf(secureUri)}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open ${name} in a new tab`}
      className={cn('block h-72 overflow-hidden rounded-lg border', checkerClass)}
    >
      <Picture
        eager
        key={src}
        src={src}
        alt={context.alt ?? name}
        className="size-full object-contain"
      />
    </a>
  )
}
