import { useQuery } from '@tanstack/react-query'
import { ImageUpIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { isBusy } from '@/components/queue/create-queue'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/input'
import { countOf } from '@/components/ui/number'
import { Sheet } from '@/components/ui/sheet'
import { EmptyState } from '@/components/ui/state'
import { TagInput } from '@/components/ui/tag-input'
import type { ImageFacets } from '@/lib/images/contract'
import { ContextEditor } from './context-editor'
import { faultOf, type Pair, toContext } from './context-pairs'
import { facetsOptions } from './image-queries'
import { PickImages } from './pick-images'
import { UploadItem } from './upload-item'
import { type UploadItem as Item, isOpen, uploadQueue } from './upload-queue'

type Props = {
  onFiles: (files: FileList) => void
  /** Folder that the list shows: where new images most likely belong. */
  folder: string
  onClose: () => void
  onOpen: (fileId: string) => void
}

/** The chosen files: labelled together, then uploaded, each with its own progress. */
export default function UploadPanel({ onFiles, folder: initialFolder, onClose, onOpen }: Props) {
  const items = uploadQueue.useItems()
  const facets = useQuery(facetsOptions).data
  const [folder, setFolder] = useState(initialFolder)
  const [tags, setTags] = useState<string[]>([])
  const [pairs, setPairs] = useState<Pair[]>([])
  const [isMore, setMore] = useState(false)
  const open = items.filter(isOpen)
  const input = useUnsaved({
    what: 'Folder, tags and context of the upload are forgotten when this panel closes.',
    dirty: open.length > 0 && (folder !== initialFolder || tags.length > 0 || pairs.length > 0),
  })
  const failed = items.filter(({ state }) => state === 'failed')
  const blocked =
    pairs.some((pair) => faultOf(pair, pairs)) || open.some((each) => idFault(each, open))
  const shared = () => ({ folder: folder.trim(), tags, context: toContext(pairs) })
  const start = (chosen: readonly Item[]) =>
    void uploadQueue.start(
      chosen.map(({ id }) => id),
      shared(),
    )
  const ready = open.filter(({ state }) => state === 'ready')
  return (
    <Sheet
      onClose={() => input.leave(onClose)}
      title="Upload images"
      description={summaryOf(items)}
      footer={
        <div className="flex w-full flex-wrap items-center justify-end gap-2">
          <span className="mr-auto">
            <PickImages label="Add files" variant="outline" onFiles={onFiles} />
          </span>
          {failed.length > 0 && (
            <Button disabled={blocked} onClick={() => start(failed)}>
              Retry {countOf(failed.length, 'failed image')}
            </Button>
          )}
          {ready.length > 0 && (
            <Button variant="primary" disabled={blocked} onClick={() => start(ready)}>
              Upload {countOf(ready.length, 'image')}
            </Button>
          )}
          {open.length === 0 && items.length > 0 && (
            <Button
              variant="primary"
              onClick={() => {
                uploadQueue.clearDone()
                onClose()
              }}
            >
              {items.some(isBusy) ? 'Continue in the background' : 'Done'}
            </Button>
          )}
        </div>
      }
    >
      <p role="status" className="sr-only">
        {summaryOf(items)}
      </p>
      {items.length === 0 ? (
        <EmptyState icon={ImageUpIcon} title="No files chosen">
          Drop or paste images anywhere on this page, or add files below. Supported formats: PNG,
          JPEG, GIF, WebP and AVIF.
        </EmptyState>
      ) : (
        <>
          {open.length > 0 && (
            <UploadTarget
              facets={facets}
              {...{ folder, tags, pairs, isMore }}
              onMore={() => setMore(true)}
              onFolder={setFolder}
              onTags={setTags}
              onPairs={setPairs}
            />
          )}
          <ul aria-label="Files" className="divide-y">
            {items.map((item) => (
              <UploadItem
                key={item.id}
                item={item}
                fault={idFault(item, open)}
                hasId={isMore || item.state === 'failed'}
                onAssetId={(assetId) =>
                  uploadQueue.nameBy((each) => (each.id === item.id ? assetId : each.assetId))
                }
                onRetry={() => start([item])}
                onReplace={() => void uploadQueue.replace(item, shared())}
                onOpen={(fileId) => input.leave(() => onOpen(fileId))}
              />
            ))}
          </ul>
        </>
      )}
    </Sheet>
  )
}

function idFault(item: Item, open: readonly Item[]): string | null {
  const assetId = item.assetId.trim()
  const isTaken = open.some((other) => other.id !== item.id && other.assetId.trim() === assetId)
  return assetId && isTaken ? 'Another file of this upload has the same ID' : null
}

function summaryOf(items: readonly Item[]): string {
  const done = items.filter(({ state }) => state === 'done').length
  const failed = items.filter(({ state }) => state === 'failed').length
  if (done + failed === 0 && !items.some(isBusy)) return countOf(items.length, 'file')
  const failures = failed > 0 ? `, ${failed} failed` : ''
  return `${done} of ${countOf(items.length, 'image')} uploaded${failures}`
}

type MoreProps = { isOpen: boolean; onOpen: () => void; children: ReactNode }

/** What a simple upload needs nothing of. */
const More = ({ isOpen, onOpen, children }: MoreProps) =>
  isOpen ? (
    children
  ) : (
    <Button size="sm" variant="ghost" className="justify-self-start" onClick={onOpen}>
      More: tags, context and asset IDs
    </Button>
  )

type UploadTargetProps = {
  isMore: boolean
  onMore: () => void
  facets: ImageFacets | undefined
  folder: string
  tags: string[]
  pairs: Pair[]
  onFolder: (folder: string) => void
  onTags: (tags: string[]) => void
  onPairs: (pairs: Pair[]) => void
}

/** The folder, tags and context of all images of an upload. */
function UploadTarget(props: UploadTargetProps) {
  const { facets, folder, tags, pairs, onFolder, onTags, onPairs, isMore, onMore } = props
  const folders = useId()
  return (
    <form className="grid gap-4 border-b p-4" onSubmit={(event) => event.preventDefault()}>
      <FormField label="Folder" hint="The namespace, with / between its levels. Optional.">
        <NameInput
          value={folder}
          onValueChange={onFolder}
          list={folders}
          placeholder="shop/shoes"
          autoComplete="off"
          spellCheck={false}
        />
      </FormField>
      <datalist id={folders}>
        {facets?.folders
          .filter(({ value }) => value)
          .map(({ value }) => (
            <option key={value} value={value} />
          ))}
      </datalist>
      <More isOpen={isMore} onOpen={onMore}>
        <div className="grid gap-1.5">
          <span className="text-[13px] font-medium">Tags</span>
          <TagInput
            aria-label="Tags"
            value={tags}
            onValueChange={onTags}
            suggestions={facets?.tags.map(({ value }) => value)}
            placeholder="Type a tag and press Enter"
          />
        </div>
        <ContextEditor pairs={pairs} onChange={onPairs} />
        <div className="flex flex-wrap items-center gap-2 text-xs text-muted-foreground">
          <p className="min-w-0 flex-1 basis-56">
            Before an image of the same folder and asset ID is replaced, you are asked.
          </p>
          <Button size="sm" onClick={() => uploadQueue.nameBy(({ file }) => stemOf(file.name))}>
            Use file names as IDs
          </Button>
        </div>
      </More>
    </form>
  )
}

const stemOf = (name: string) => name.replace(/\.[^.]+$/, '')
