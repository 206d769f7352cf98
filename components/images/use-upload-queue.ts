'use client'
import { useEffect, useSyncExternalStore } from 'react'
import { isBusy, type UploadItem, uploadQueue } from './upload-queue'

const NOTHING: readonly UploadItem[] = []

/** The images on their way. While some are, the browser asks before the tab is closed. */
export function useUploadQueue(): readonly UploadItem[] {
  const items = useSyncExternalStore(uploadQueue.subscribe, uploadQueue.get, () => NOTHING)
  const busy = items.some(isBusy)
  useEffect(() => {
    if (!busy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
  return items
}
