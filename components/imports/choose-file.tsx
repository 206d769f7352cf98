import type { ReactNode } from 'react'
import { FileButton } from '@/components/ui/file-button'

type Props = {
  label?: string
  variant?: 'primary' | 'outline'
  onFile: (file: File) => void
  children: ReactNode
}

/** Chooses a file with rows. */
export const ChooseFile = ({ label = 'File to import', onFile, ...button }: Props) => (
  <FileButton
    accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson"
    label={label}
    onFiles={([file]) => file && onFile(file)}
    {...button}
  />
)
