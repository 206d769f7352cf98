import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Refusal } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import type { Image } from '@/lib/images/contract'
import {
  ASPECTS,
  type Aspect,
  type FocalPoint,
  type Framing,
  regionOf,
} from '@/lib/images/framing-contract'
import { patchImage, refreshImages } from '../image-queries'
import { checkerClass } from '../picture'
import { sourceOf } from '../source-of'
import { CropStage } from './crop-stage'
import { FramingFields } from './framing-fields'
import { cropOf, toFraming, WHOLE } from './framing-moves'

type Props = { image: Image; onClose: () => void }

/** Edits crop and focal point of an image, and shows what its smaller forms become. */
export default function FramingDialog({ image, onClose }: Props) {
  const [crop, setCrop] = useState(image.crop ?? WHOLE)
  const [focalPoint, setFocalPoint] = useState<FocalPoint | null>(image.focalPoint)
  const framing = toFraming(crop, focalPoint, image)
  const before = toFraming(image.crop ?? WHOLE, image.focalPoint, image)
  const changed = JSON.stringify(framing) !== JSON.stringify(before)
  const input = useUnsaved({
    what: `Crop and focal point of ${image.name} are not saved yet.`,
    dirty: changed,
  })
  const saving = useMutation({
    mutationFn: () => saveFraming(image, framing),
    onSuccess: () => {
      input.settle()
      onClose()
    },
  })
  const cropTo = (aspect: Aspect) => {
    const region = regionOf({ ...image, crop: null, focalPoint }, aspect)
    setCrop(region ? cropOf(region, image) : WHOLE)
  }
  const reset = () => {
    setCrop(WHOLE)
    setFocalPoint(null)
  }
  const parts = { crop, focalPoint, onCrop: setCrop, onFocalPoint: setFocalPoint }
  return (
    <Dialog
      onClose={() => input.leave(onClose)}
      title="Crop and focal point"
      description="The file stays as it is: smaller forms show the crop, other proportions keep the focal point."
      size="xl"
      initialFocus="[data-framing] button"
      footer={
        <>
          <Button
            className="mr-auto"
            variant="ghost"
            disabled={!framing.crop && !framing.focalPoint}
            onClick={reset}
          >
            Reset
          </Button>
          <DialogButtons
            onCancel={() => input.leave(onClose)}
            disabled={!changed}
            busy={saving.isPending}
            onClick={() => saving.mutate()}
            label="Save"
          />
        </>
      }
    >
      <div data-framing className="grid gap-5 md:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="grid content-start gap-4">
          <Refusal of={saving.error} title="Nothing was saved" />
          <CropStage image={image} {...parts} />
          <fieldset className="flex flex-wrap items-center gap-1.5">
            <legend className="mb-1.5 text-[13px] font-medium">Crop to</legend>
            {ASPECTS.map((aspect) => (
              <Button key={aspect} size="sm" onClick={() => cropTo(aspect)}>
                {aspect}
              </Button>
            ))}
            <Button size="sm" onClick={() => setCrop(WHOLE)}>
              The whole image
            </Button>
          </fieldset>
        </div>
        <div className="grid content-start gap-5">
          <FramingFields size={image} {...parts} />
          <section aria-label="What smaller forms show" className="grid gap-2">
            <span aria-hidden className="text-[13px] font-medium">
              What smaller forms show
            </span>
            <FormPreviews image={image} framing={framing} />
          </section>
        </div>
      </div>
    </Dialog>
  )
}

/** Saves crop and focal point, and offers what they were before for as long as the notice stands. */
async function saveFraming(image: Image, framing: Framing): Promise<void> {
  const { fileId, crop, focalPoint } = image
  await patchImage(fileId, framing)
  await refreshImages()
  const undo = async () => {
    try {
      await patchImage(fileId, { crop, focalPoint })
      await refreshImages()
      toast.success('Crop and focal point are what they were before')
    } catch (error) {
      toast.error(`Crop and focal point stay as they were saved: ${messageOf(error)}`)
    }
  }
  toast.success('Crop and focal point are saved', {
    action: { label: 'Undo', onClick: () => void undo() },
  })
}

type FormPreviewsProps = { image: Image; framing: Framing }

/** What smaller forms of an image would show. */
const FormPreviews = ({ image, framing }: FormPreviewsProps) => (
  <ul aria-label="Smaller forms" className="flex flex-wrap items-end gap-3">
    {([null, ...ASPECTS] as const).map((aspect) => (
      <li key={aspect} className="grid justify-items-center gap-1">
        <Form image={image} framing={framing} aspect={aspect} />
        <span className="text-xs text-muted-foreground">{aspect ?? 'As cropped'}</span>
      </li>
    ))}
  </ul>
)

/** Pixels. */
const LONGER_SIDE = 88

function Form({ image, framing, aspect }: FormPreviewsProps & { aspect: Aspect | null }) {
  const { width, height, secureUri } = image
  const region = regionOf({ width, height, ...framing }, aspect) ?? {
    left: 0,
    top: 0,
    width,
    height,
  }
  const scale = LONGER_SIDE / Math.max(region.width, region.height)
  return (
    <span
      className={cn('relative block overflow-hidden rounded border', checkerClass)}
      style={{
        width: Math.max(2, region.width * scale),
        height: Math.max(2, region.height * scale),
      }}
    >
      {/* biome-ignore lint/performance/noImgElement: the original, of which a part is shown */}
      <img
        src={sourceOf(secureUri)}
        alt=""
        draggable={false}
        className="absolute max-w-none"
        style={{
          width: width * scale,
          height: height * scale,
          left: -region.left * scale,
          top: -region.top * scale,
        }}
      />
    </span>
  )
}
