import { type ComponentProps, useRef } from 'react'
import { Button } from './button'

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'ref' | 'children'> & {
  /** Types and endings of files, as the browser takes them. */
  accept: string
  multiple?: boolean
  /** Names the chosen files to screen readers. */
  label: string
  onFiles: (files: FileList) => void
}

/** A button that opens the browser's chooser of files: the alternative to dropping them. */
export function FileButton({ accept, multiple, label, onFiles, ...button }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        {...{ accept, multiple }}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          if (target.files?.length) onFiles(target.files)
          target.value = ''
        }}
      />
    </>
  )
}
