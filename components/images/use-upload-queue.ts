'use client'
import { useEffect } from 'react'
import { isBusy } from '@/components/queue/create-queue'
import { type UploadItem, uploadQueue } from './upload-queue'

/** The images of the queue. While some are on their way, the browser asks before it closes the tab. */
export function useUploadQueue(): readonly UploadItem[] {
  const items = uploadQueue.useItems()
  const busy = items.some(isBusy)
  useEffect(() => {
    if (!busy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
  return items
}
