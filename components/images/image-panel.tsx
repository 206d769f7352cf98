import { useQuery } from '@tanstack/react-query'
import { ChevronLeftIcon, ChevronRightIcon, CropIcon, Trash2Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useEffectEvent, useState } from 'react'
import { leave } from '@/components/drafts/unsaved'
import { PanelSkeleton } from '@/components/entities/panel-skeleton'
import { useCan } from '@/components/shell/viewer'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Sheet } from '@/components/ui/sheet'
import { ErrorState } from '@/components/ui/state'
import type { Image } from '@/lib/images/contract'
import { pixelsOf } from './framing/framing-moves'
import { thumbnailOf } from './image-address'
import { ImageFacts } from './image-facts'
import { ImageLabels } from './image-labels'
import { imageOptions } from './image-queries'
import { ImageUses } from './image-uses'
import { MissingAlt } from './missing-alt'
import { checkerClass, Picture } from './picture'
import { ReplaceImage } from './replace-image'
import { sourceOf } from './source-of'

const DeleteImages = dynamic(() => import('./delete-images'), { ssr: false })

type Props = {
  fileId: string
  /** Those of the list behind. */
  images: readonly Image[]
  onOpen: (fileId: string) => void
  onClose: () => void
}

/** One image: how it looks, what is known of it, and what can be done with it. */
export default function ImagePanel({ fileId, images, ...props }: Props) {
  const onOpen = (next: string) => leave(() => props.onOpen(next))
  const onClose = () => leave(props.onClose)
  const index = images.findIndex((each) => each.fileId === fileId)
  const found = useQuery({ ...imageOptions(fileId), placeholderData: images[index] })
  const image = found.data
  const before = images[index - 1]?.fileId
  const after = index < 0 ? undefined : images[index + 1]?.fileId
  useArrowKeys(
    () => before && onOpen(before),
    () => after && onOpen(after),
  )
  return (
    <Sheet
      onClose={onClose}
      title={image?.name ?? 'Image'}
      description={image?.publicId}
      actions={
        <div className="flex shrink-0 items-center">
          <Step label="Previous image" icon={ChevronLeftIcon} to={before} onOpen={onOpen} />
          <Step label="Next image" icon={ChevronRightIcon} to={after} onOpen={onOpen} />
          <CopyButton text={linkTo(fileId)} label="Copy the link to this page" />
          {image && <Delete image={image} onDeleted={props.onClose} />}
        </div>
      }
    >
      {!image && found.error && <ErrorState of={found} />}
      {!image && found.isPending && <PanelSkeleton />}
      {image && (
        <div className="grid gap-6 p-4">
          <div className="grid gap-3">
            <ImagePreview image={image} />
            <MissingAlt key={`alt ${fileId}`} image={image} />
            <ReplaceImage image={image} />
          </div>
          <ImageFacts image={image} />
          <ImageFraming key={`framing ${fileId}`} image={image} />
          <ImageLabels key={`labels ${fileId} ${image.updatedAt}`} image={image} />
          <ImageUses key={`uses ${fileId}`} fileId={fileId} />
        </div>
      )}
    </Sheet>
  )
}

const linkTo = (fileId: string) => `${window.location.origin}/images?image=${fileId}`

type StepProps = {
  label: string
  icon: typeof ChevronLeftIcon
  to: string | undefined
  onOpen: (fileId: string) => void
}

const Step = ({ label, icon: Icon, to, onOpen }: StepProps) => (
  <IconButton icon={Icon} label={label} disabled={!to} onClick={() => to && onOpen(to)} />
)

function Delete({ image, onDeleted }: { image: Image; onDeleted: () => void }) {
  const [asked, setAsked] = useState(false)
  if (!useCan('images:delete')) return null
  return (
    <>
      <IconButton
        icon={Trash2Icon}
        label="Delete"
        className="text-destructive"
        onClick={() => setAsked(true)}
      />
      {asked && (
        <DeleteImages
          fileIds={[image.fileId]}
          name={image.name}
          onClose={() => setAsked(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}

/** Left and right, unless they are needed where the focus is. */
function useArrowKeys(onLeft: () => void, onRight: () => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const isTaken = target.closest('input,textarea,[data-labels],[role="alertdialog"]')
    if (isTaken || document.querySelector('[data-framing]')) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'ArrowLeft') onLeft()
    if (event.key === 'ArrowRight') onRight()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    // While it goes down: a dialog keeps arrow keys from going up.
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [])
}

/** The image in a box of a fixed height; opens in full in a new tab. */
function ImagePreview({ image }: { image: Image }) {
  const { name, context, secureUri, width, format, crop } = image
  // A smaller form of an animation stands still, and one of a small image is no smaller.
  const asIs = !crop && (format === 'gif' || width <= 1024)
  const src = asIs ? sourceOf(secureUri) : thumbnailOf(image, 1024)
  return (
    <a
      href={sourceOf(secureUri)}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open ${name} in a new tab`}
      className={cn('block h-72 overflow-hidden rounded-lg border', checkerClass)}
    >
      <Picture
        eager
        key={src}
        src={src}
        alt={context.alt ?? name}
        className="size-full object-contain"
      />
    </a>
  )
}

const FramingDialog = dynamic(() => import('./framing/framing-dialog'), { ssr: false })

/** What smaller forms of an image show, and its editor for those who may change it. */
function ImageFraming({ image }: { image: Image }) {
  const [isOpen, setOpen] = useState(false)
  const mayChange = useCan('images:upload')
  return (
    <section aria-label="Crop and focal point" className="grid gap-3 border-t pt-4">
      <Facts
        facts={[
          { label: 'Crop', value: cropText(image) },
          { label: 'Focal point', value: pointText(image) },
        ]}
      />
      {mayChange && (
        <div>
          <Button size="sm" onClick={() => setOpen(true)}>
            <CropIcon aria-hidden /> Edit crop and focal point
          </Button>
        </div>
      )}
      {isOpen && <FramingDialog image={image} onClose={() => setOpen(false)} />}
    </section>
  )
}

function cropText({ crop, ...size }: Image): string {
  if (!crop) return 'None: smaller forms show all of it'
  const { left, top, width, height } = pixelsOf(crop, size)
  return `${width} × ${height} pixels, ${left} from the left, ${top} from the top`
}

function pointText({ focalPoint }: Image): string {
  if (!focalPoint) return 'None: the middle'
  const [x, y] = [focalPoint.x, focalPoint.y].map((part) => `${Math.round(part * 1000) / 10} %`)
  return `${x} from the left, ${y} from the top`
}
