'use client'
import { useEffect, useState } from 'react'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import type { Image } from '@/lib/images/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { thumbnailOf } from '../image-source'
import { checkerClass, Picture } from '../picture'

type Props = { image: Image; file: File; onConfirm: () => void; onClose: () => void }

/** Asks before a file takes the place of an image, with both of them. */
export function ConfirmReplacement({ image, file, onConfirm, onClose }: Props) {
  const preview = useObjectUrl(file)
  const { name, width, height, bytes } = image
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Replace “${name}”?`}
      description="The old file is removed, which can’t be undone. ID, tags and context stay, and the image’s addresses lead to the new file from now on."
      confirmLabel="Replace image"
      onConfirm={onConfirm}
    >
      <div className="grid grid-cols-2 gap-3">
        <Side
          label="Now"
          src={thumbnailOf(image, 256)}
          facts={`${width} × ${height}, ${formatBytes(bytes)}`}
        />
        <Side label="New" src={preview} facts={`${file.name}, ${formatBytes(file.size)}`} />
      </div>
      {image.crop && (
        <p className="text-[13px] text-muted-foreground">
          Its crop stays if the new file has the same proportions.
        </p>
      )}
    </ConfirmDialog>
  )
}

type SideProps = { label: string; src: string | null; facts: string }

const Side = ({ label, src, facts }: SideProps) => (
  <figure className="grid min-w-0 content-start gap-1">
    <span className={`block h-32 overflow-hidden rounded-md border ${checkerClass}`}>
      {src && <Picture eager src={src} className="size-full object-contain" />}
    </span>
    <figcaption className="grid min-w-0 text-xs">
      <span className="font-medium">{label}</span>
      <span className="truncate text-muted-foreground" title={facts}>
        {facts}
      </span>
    </figcaption>
  </figure>
)

/** A `blob:` address of a file; null until it is made. */
function useObjectUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
