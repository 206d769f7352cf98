import { useQuery } from '@tanstack/react-query'
import { RotateCwIcon, XIcon } from 'lucide-react'
import { Button, IconButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Progress } from '@/components/ui/progress'
import { Status } from '@/components/ui/status'
import { formatBytes } from '@/lib/values/format-bytes'
import { thumbnailOf } from './image-address'
import { imageOptions } from './image-queries'
import { checkerClass, Picture } from './picture'
import { type UploadItem as Item, isOpen, uploadQueue } from './upload-queue'

type Props = {
  item: Item
  /** Its id can be typed. */
  hasId: boolean
  /** What is wrong with its id. */
  fault: string | null
  onAssetId: (assetId: string) => void
  onRetry: () => void
  onReplace: () => void
  onOpen: (fileId: string) => void
}

/** One file of the queue. */
export function UploadItem({ item, hasId, fault, onAssetId, onRetry, onReplace, onOpen }: Props) {
  const { id, file, preview, state } = item
  return (
    <li className="grid grid-cols-[3rem_1fr_auto] gap-x-3 px-4 py-3">
      <Picture
        src={preview}
        className="size-12 overflow-hidden rounded-md border bg-muted object-cover"
      />
      <div className="grid min-w-0 content-start gap-1.5">
        <div className="flex min-w-0 items-center gap-2">
          <span className="truncate text-[13px] font-medium" title={file.name}>
            {file.name}
          </span>
          <span className="tabular shrink-0 text-xs text-muted-foreground">
            {formatBytes(file.size)}
          </span>
          <ItemStatus state={state} />
        </div>
        {hasId && isOpen(item) && (
          <div className="flex items-center gap-2">
            <Input
              aria-label={`Asset ID of ${file.name}`}
              placeholder="Asset ID (generated if empty)"
              value={item.assetId}
              onValueChange={onAssetId}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={fault ? true : undefined}
              className="h-7 text-[13px]"
            />
            {state === 'failed' && (
              <Button size="sm" aria-label={`Retry ${file.name}`} onClick={onRetry}>
                <RotateCwIcon aria-hidden /> Retry
              </Button>
            )}
          </div>
        )}
        {fault && isOpen(item) && <p className="text-xs text-destructive">{fault}</p>}
        {state === 'failed' &&
          (item.existing ? (
            <ExistingImage
              existing={item.existing}
              fileName={file.name}
              disabled={fault !== null}
              onReplace={onReplace}
            />
          ) : (
            <p className="text-xs text-destructive">{item.error}</p>
          ))}
        {state === 'running' && <Sending item={item} />}
        {item.result && <Uploaded result={item.result} onOpen={onOpen} />}
      </div>
      <IconButton
        icon={XIcon}
        label={state === 'running' ? `Stop ${file.name}` : `Remove ${file.name} from the list`}
        onClick={() => uploadQueue.remove(id)}
      />
    </li>
  )
}

function ItemStatus({ state }: Pick<Item, 'state'>) {
  if (state === 'done') return <Status tone="success">Uploaded</Status>
  if (state === 'failed') return <Status tone="destructive">Failed</Status>
  if (state === 'waiting') return <Status tone="neutral">Waiting</Status>
  return null
}

function Sending({ item: { sent, file } }: { item: Item }) {
  const arrived = sent >= file.size
  const text = `${formatBytes(Math.min(sent, file.size))} of ${formatBytes(file.size)}`
  return (
    <Progress
      label={arrived ? 'Checking and storing' : 'Uploading'}
      value={arrived ? null : sent}
      max={file.size}
      text={text}
    />
  )
}

type UploadedProps = { result: NonNullable<Item['result']>; onOpen: (fileId: string) => void }

function Uploaded({ result: { image, duplicateOf }, onOpen }: UploadedProps) {
  return (
    <p className="flex min-w-0 flex-wrap gap-x-2 text-xs text-muted-foreground">
      <Opener label={image.publicId} onClick={() => onOpen(image.fileId)} />
      {duplicateOf && (
        <span>
          Identical to <Opener label="an older image" onClick={() => onOpen(duplicateOf)} />
        </span>
      )}
    </p>
  )
}

const Opener = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button
    type="button"
    className="max-w-full truncate text-foreground underline underline-offset-2"
    onClick={onClick}
  >
    {label}
  </button>
)

type ExistingImageProps = {
  /** `fileId` of the image that has the name of an upload. */
  existing: string
  fileName: string
  disabled: boolean
  onReplace: () => void
}

/** Asks whether an upload replaces the image that is there. */
function ExistingImage({ existing, fileName, disabled, onReplace }: ExistingImageProps) {
  const image = useQuery(imageOptions(existing)).data
  return (
    <div className="flex items-center gap-2 rounded-md border p-2 text-xs">
      {image && (
        <Picture
          src={thumbnailOf(image, 128)}
          className={`size-10 shrink-0 rounded border object-contain ${checkerClass}`}
        />
      )}
      <p role="alert" className="min-w-0 flex-1">
        {image ? `“${image.publicId}” exists already` : 'An image of this name exists already'}.
        Give another ID, or replace it: its addresses then lead to this file.
      </p>
      <Button
        size="sm"
        variant="destructive-outline"
        disabled={disabled}
        aria-label={`Replace it with ${fileName}`}
        onClick={onReplace}
      >
        Replace
      </Button>
    </div>
  )
}
