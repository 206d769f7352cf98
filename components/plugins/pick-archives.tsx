'use client'
import { UploadIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { installQueue } from './install-queue'

type Props = { maxBytes: number; focusAtOnce?: boolean }

/** A button as the alternative to dropping files. `focusAtOnce` moves the focus to it. */
export function PickArchives({ maxBytes, focusAtOnce = false }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focusAtOnce) button.current?.focus()
  }, [focusAtOnce])
  return (
    <>
      <Button ref={button} variant="primary" onClick={() => input.current?.click()}>
        <UploadIcon aria-hidden /> Install plugin
      </Button>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        multiple
        hidden
        aria-label="Plugin archives"
        onChange={(event) => {
          installQueue.add(event.target.files ?? [], maxBytes)
          event.target.value = ''
        }}
      />
    </>
  )
}
