import { ImageOffIcon } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/components/ui/cn'

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
