'use client'
import { UploadIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { installQueue } from './install-queue'

/** Takes ZIP files dropped anywhere on the page. */
export function DropZone({ children }: { children: ReactNode }) {
  const [over, setOver] = useState(false)
  useEffect(() => {
    let depth = 0
    const onEnter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth += 1
      setOver(true)
    }
    const onLeave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    // Without it the browser opens the file in place of the console.
    const onOver = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth = 0
      setOver(false)
      installQueue.add(event.dataTransfer?.files ?? [])
    }
    const all = { dragenter: onEnter, dragleave: onLeave, dragover: onOver, drop: onDrop }
    const entries = Object.entries(all) as [keyof typeof all, (event: DragEvent) => void][]
    for (const [name, listener] of entries) window.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of entries) window.removeEventListener(name, listener)
    }
  }, [])
  return (
    <>
      {children}
      {over && (
        <div
          aria-hidden
          className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-xl border-2 border-dashed border-primary bg-background/85"
        >
          <p className="flex items-center gap-2 text-base font-medium">
            <UploadIcon className="size-5 text-primary" /> Drop plugin archives to see what they
            would do
          </p>
        </div>
      )}
    </>
  )
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
