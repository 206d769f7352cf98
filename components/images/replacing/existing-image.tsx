'use client'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { imageOptions } from '../image-queries'
import { thumbnailOf } from '../image-source'
import { checkerClass, Picture } from '../picture'

type Props = {
  /** `fileId` of the image that has the name of an upload. */
  existing: string
  fileName: string
  disabled: boolean
  onReplace: () => void
}

/** Asks whether an upload replaces the image that is there. */
export function ExistingImage({ existing, fileName, disabled, onReplace }: Props) {
  const image = useQuery(imageOptions(existing)).data
  return (
    <div className="flex items-center gap-2 rounded-md border p-2 text-xs">
      {image && (
        <Picture
          src={thumbnailOf(image, 128)}
          className={`size-10 shrink-0 rounded border object-contain ${checkerClass}`}
        />
      )}
      <p role="alert" className="min-w-0 flex-1">
        {image ? `“${image.publicId}” exists already` : 'An image of this name exists already'}.
        Give another ID, or replace it: its addresses then lead to this file.
      </p>
      <Button
        size="sm"
        variant="destructive-outline"
        disabled={disabled}
        aria-label={`Replace it with ${fileName}`}
        onClick={onReplace}
      >
        Replace
      </Button>
    </div>
  )
}
