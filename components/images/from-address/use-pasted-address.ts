'use client'
import { useEffect, useEffectEvent } from 'react'

/** Hears addresses that are pasted into the page; not into a control, and not while a dialog is open. */
export function usePastedAddress(onAddress: (url: string) => void, enabled: boolean): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const url = event.clipboardData?.getData('text/plain').trim() ?? ''
    if (event.clipboardData?.files.length || isTaken(event.target) || !isAddress(url)) return
    event.preventDefault()
    onAddress(url)
  })
  useEffect(() => {
    if (!enabled) return
    const onPaste = (event: ClipboardEvent) => take(event)
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [enabled])
}

const isTaken = (target: EventTarget | null) =>
  document.querySelector('[role=dialog],[role=alertdialog]') !== null ||
  (target instanceof Element && target.closest('input,textarea,[contenteditable]') !== null)

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
