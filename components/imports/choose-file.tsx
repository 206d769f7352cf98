'use client'
import { type ReactNode, useRef } from 'react'
import { Button } from '@/components/ui/button'

type Props = {
  variant?: 'primary' | 'outline'
  onFile: (file: File) => void
  children: ReactNode
}

/** A button that opens the chooser of files that can be imported. */
export function ChooseFile({ variant, onFile, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant={variant} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson"
        hidden
        aria-label="File to import"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
    </>
  )
}
