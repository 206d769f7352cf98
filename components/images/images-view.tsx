'use client'

import { LinkIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useEffectEvent, useState } from 'react'
import { useListState } from '@/components/data-table/use-list-state'
import { leave } from '@/components/drafts/unsaved'
import { isBusy } from '@/components/queue/create-queue'
import { Page } from '@/components/shell/page'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { DropZone, pastesElsewhere } from '@/components/ui/drop-zone'
import { formatBytes } from '@/lib/values/format-bytes'
import { useImages } from './image-queries'
import { ImagesList } from './images-list'
import { facetValue, imagesSearch } from './images-search'
import { PickImages } from './pick-images'
import { uploadQueue } from './upload-queue'
import { useImageView } from './use-image-view'

const ImagePanel = dynamic(() => import('./image-panel'), { ssr: false })
const UploadFromAddress = dynamic(() => import('./from-address/upload-from-address'), {
  ssr: false,
})
const UploadPanel = dynamic(() => import('./upload-panel'), { ssr: false })

/** All images; new ones are dropped, pasted or chosen. `maxBytes` is the limit of one file. */
export function ImagesView({ maxBytes }: { maxBytes: number }) {
  const list = useListState()
  const view = useImageView()
  const response = useImages(imagesSearch(list))
  const images = response.data?.data ?? []
  const mayUpload = useCan('images:upload')
  const take = (files: FileList) => {
    const limit = `Larger than the limit of ${formatBytes(maxBytes)}`
    uploadQueue.add(files, maxBytes, limit)
    if (!view.upload) leave(view.showUpload)
  }
  const folder = facetValue(list.filter, 'folder') ?? ''
  // `null`: not asked for.
  const [address, setAddress] = useState<string | null>(null)
  usePastedAddress(setAddress, mayUpload)
  const pick = <PickImages label="Upload images" onFiles={take} />
  const page = (
    <Page
      fill
      title="Images"
      description={mayUpload ? 'Drop or paste images anywhere to upload them.' : null}
      actions={
        mayUpload && (
          <>
            <QueueButton onClick={view.showUpload} />
            <Button onClick={() => setAddress('')}>
              <LinkIcon aria-hidden />
              <span className="max-sm:sr-only">From an address</span>
            </Button>
            {pick}
          </>
        )
      }
    >
      <ImagesList list={list} view={view} response={response} upload={mayUpload ? pick : null} />
      {view.image && (
        <ImagePanel fileId={view.image} images={images} onOpen={view.open} onClose={view.close} />
      )}
      {mayUpload && view.upload && (
        <UploadPanel folder={folder} onFiles={take} onClose={view.close} onOpen={view.open} />
      )}
      {address !== null && (
        <UploadFromAddress
          url={address}
          folder={folder}
          onClose={() => setAddress(null)}
          onOpen={(fileId) => {
            setAddress(null)
            view.open(fileId)
          }}
        />
      )}
    </Page>
  )
  if (!mayUpload) return page
  return (
    <DropZone label={dropLabel(folder, view.upload)} onFiles={take} pictures>
      {page}
    </DropZone>
  )
}

/** Where dropped files land; an upload that is open has a folder of its own. */
function dropLabel(folder: string, isOpen: boolean): string {
  if (isOpen) return 'Drop to add to this upload'
  return folder ? `Drop to upload into ${folder}` : 'Drop images to upload them'
}

/** Opens the queue again. */
function QueueButton({ onClick }: { onClick: () => void }) {
  const items = uploadQueue.useItems()
  const left = items.filter(({ state }) => state !== 'done').length
  if (left === 0) return null
  const done = items.length - left
  return (
    <Button onClick={onClick} aria-live="polite">
      {items.some(isBusy) ? `Uploading, ${done} of ${items.length}` : `${left} to upload`}
    </Button>
  )
}

/** Hears addresses that are pasted into the page; not into a control, and not while a dialog is open. */
function usePastedAddress(onAddress: (url: string) => void, enabled: boolean): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const url = event.clipboardData?.getData('text/plain').trim() ?? ''
    if (event.clipboardData?.files.length || pastesElsewhere(event.target) || !isAddress(url))
      return
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

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
