import { UploadIcon } from 'lucide-react'
import { FileButton } from '@/components/ui/file-button'

export const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

type Props = {
  label: string
  onFiles: (files: FileList) => void
  variant?: 'primary' | 'outline'
  size?: 'sm' | 'md'
}

/** Chooses images to upload. */
export const PickImages = ({ variant = 'primary', ...props }: Props) => (
  <FileButton accept={ACCEPTED} multiple variant={variant} {...props}>
    <UploadIcon aria-hidden /> {props.label}
  </FileButton>
)
