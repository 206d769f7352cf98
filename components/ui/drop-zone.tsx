import { UploadIcon } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

type Props = {
  /** What dropping does: `Drop images to upload them`. */
  label: string
  onFiles: (files: FileList) => void
  /** Pasted files are accepted too. */
  paste?: boolean
  children: ReactNode
}

/** Accepts files dropped anywhere on the page. */
export function DropZone({ label, onFiles, paste = false, children }: Props) {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((files: FileList | undefined) => {
    if (files && files.length > 0) onFiles(files)
  })
  useEffect(() => {
    let depth = 0
    const enter = (step: number) => {
      depth = Math.max(0, depth + step)
      setOver(depth > 0)
    }
    const onEnter = (event: DragEvent) => hasFiles(event) && enter(1)
    const onLeave = (event: DragEvent) => hasFiles(event) && enter(-1)
    // Without it the browser opens the file in place of the console.
    const onOver = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      enter(-depth)
      take(event.dataTransfer?.files)
    }
    const all = { dragenter: onEnter, dragleave: onLeave, dragover: onOver, drop: onDrop }
    const entries = Object.entries(all) as [keyof typeof all, (event: DragEvent) => void][]
    for (const [name, listener] of entries) window.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of entries) window.removeEventListener(name, listener)
    }
  }, [])
  useEffect(() => {
    if (!paste) return
    const onPaste = (event: ClipboardEvent) => take(event.clipboardData?.files)
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [paste])
  return (
    <>
      {children}
      {over && (
        <div
          aria-hidden
          className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-xl border-2 border-dashed border-primary bg-background/85"
        >
          <p className="flex items-center gap-2 text-base font-medium">
            <UploadIcon className="size-5 text-primary" /> {label}
          </p>
        </div>
      )}
    </>
  )
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
