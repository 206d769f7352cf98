import { useMutation } from '@tanstack/react-query'
import { RefreshCwIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { isCancelled, runTask } from '@/components/tasks/run-task'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Refusal } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import { toast } from '@/components/ui/toast'
import type { Image } from '@/lib/images/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { assetIdOf, thumbnailOf } from './image-address'
import { refreshImages } from './image-queries'
import { ACCEPTED } from './pick-images'
import { checkerClass, Picture } from './picture'
import { sendImage } from './send-image'
import { sourceOf } from './source-of'

/** Puts another file in an image's place; its id, folder, tags and context stay. */
export function ReplaceImage({ image }: { image: Image }) {
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState(0)
  const [chosen, choose] = useState<File | null>(null)
  const { folder, tags, context } = image
  const replacement = useMutation({
    mutationFn: (file: File) =>
      runTask(taskOf(image, file, 0), ({ signal, change }) =>
        sendImage(
          file,
          { folder, assetId: assetIdOf(image), tags, context, replaces: image.fileId },
          {
            onProgress: (bytes) => {
              setSent(bytes)
              change(taskOf(image, file, bytes))
            },
            signal,
          },
        ),
      ),
    onSuccess: async () => {
      await refreshImages()
      toast.success(`“${image.name}” is replaced`)
    },
    onError: (error) => {
      if (isCancelled(error)) toast.info(`“${image.name}” was not replaced: cancelled`)
      // The panel that would say so is closed.
      else if (!input.current) toast.error(`“${image.name}” was not replaced: ${error.message}`)
    },
  })
  if (!useCan('images:upload')) return null
  const file = replacement.isPending ? replacement.variables : null
  return (
    <div className="grid gap-2">
      {!isCancelled(replacement.error) && (
        <Refusal of={replacement.error} title="The image was not replaced" />
      )}
      {file ? (
        <Progress
          label={sent < file.size ? 'Uploading' : 'Checking and storing'}
          value={sent < file.size ? sent : null}
          max={file.size}
          text={`${formatBytes(Math.min(sent, file.size))} of ${formatBytes(file.size)}`}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2 text-xs text-muted-foreground">
          <Button size="sm" onClick={() => input.current?.click()}>
            <RefreshCwIcon aria-hidden /> Replace the file
          </Button>
          ID, tags and context stay the same, and so do its addresses: they lead to the new file.
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        hidden
        aria-label="Replacement"
        onChange={(event) => {
          choose(event.target.files?.[0] ?? null)
          event.target.value = ''
        }}
      />
      {chosen && (
        <ConfirmReplacement
          image={image}
          file={chosen}
          onClose={() => choose(null)}
          onConfirm={() => {
            choose(null)
            setSent(0)
            replacement.mutate(chosen)
          }}
        />
      )}
    </div>
  )
}

const taskOf = ({ name, fileId }: Image, { size }: File, sent: number) => ({
  title: `Replacing ${name}`,
  href: `/images?image=${encodeURIComponent(fileId)}`,
  done: Math.min(sent, size),
  // How long the server checks it is not known.
  total: sent < size ? size : null,
  progress: sent < size ? `${formatBytes(sent)} of ${formatBytes(size)}` : 'Checking and storing',
})

type Props = { image: Image; file: File; onConfirm: () => void; onClose: () => void }

/** Asks before a file takes the place of an image, with both of them. */
function ConfirmReplacement({ image, file, onConfirm, onClose }: Props) {
  const preview = useObjectUrl(file)
  const { name, width, height, bytes, secureUri } = image
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Replace “${name}”?`}
      description="The old file is removed, which can’t be undone. ID, tags and context stay, and the image’s addresses lead to the new file from now on."
      confirmLabel="Replace image"
      onConfirm={onConfirm}
    >
      <div className="grid grid-cols-2 gap-3">
        <Side
          label="Now"
          src={thumbnailOf(image, 256)}
          facts={`${width} × ${height}, ${formatBytes(bytes)}`}
        />
        <Side label="New" src={preview} facts={`${file.name}, ${formatBytes(file.size)}`} />
      </div>
      <a
        href={sourceOf(secureUri)}
        download={name}
        className="justify-self-start rounded text-[13px] text-primary hover:underline"
      >
        Download the old file first
      </a>
      {image.crop && (
        <p className="text-[13px] text-muted-foreground">
          Its crop stays if the new file has the same proportions.
        </p>
      )}
    </ConfirmDialog>
  )
}

type SideProps = { label: string; src: string | null; facts: string }

const Side = ({ label, src, facts }: SideProps) => (
  <figure className="grid min-w-0 content-start gap-1">
    <span className={`block h-32 overflow-hidden rounded-md border ${checkerClass}`}>
      {src && <Picture eager src={src} className="size-full object-contain" />}
    </span>
    <figcaption className="grid min-w-0 text-xs">
      <span className="font-medium">{label}</span>
      <span className="truncate text-muted-foreground" title={facts}>
        {facts}
      </span>
    </figcaption>
  </figure>
)

/** A `blob:` address of a file; null until it is made. */
function useObjectUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
