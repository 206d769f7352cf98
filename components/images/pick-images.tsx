'use client'
import { UploadIcon } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'

export const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

type Props = {
  label: string
  onFiles: (files: FileList) => void
  variant?: 'primary' | 'outline'
  size?: 'sm' | 'md'
}

/** A button as the alternative to dropping files. */
export function PickImages({ label, onFiles, variant = 'primary', size }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant={variant} size={size} onClick={() => input.current?.click()}>
        <UploadIcon aria-hidden /> {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          if (event.target.files?.length) onFiles(event.target.files)
          event.target.value = ''
        }}
      />
    </>
  )
}
