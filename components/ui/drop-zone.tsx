import { UploadIcon } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

type Props = {
  /** What dropping does: `Drop images to upload them`. */
  label: string
  onFiles: (files: FileList) => void
  /**
   * Pasted pictures are taken wherever the focus is, also those that a browser copies as HTML. Otherwise such a picture is one of cells
   * of a sheet, and nothing is taken from what is pasted into a control or a dialog.
   */
  pictures?: boolean
  children: ReactNode
}

/** Accepts files dropped anywhere on the page, or pasted into it. */
export function DropZone({ label, onFiles, pictures = false, children }: Props) {
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
    const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
      const isOther = clipboardData?.types.includes('text/html') || pastesElsewhere(target)
      if (pictures || !isOther) take(clipboardData?.files)
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [pictures])
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

/** What is pasted is for a control, or a dialog is open. */
export const pastesElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('[role=dialog],[role=alertdialog]') !== null ||
  (target instanceof Element && target.closest('input,textarea,[contenteditable]') !== null)

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
