'use client'
import { UploadIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { installQueue } from './install-queue'

/** A button as the alternative to dropping files. `focusAtOnce` moves the focus to it. */
export function PickArchives({ focusAtOnce = false }: { focusAtOnce?: boolean }) {
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
          installQueue.add(event.target.files ?? [])
          event.target.value = ''
        }}
      />
    </>
  )
}
