'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import type { Image } from '@/lib/images/contract'
import { ASPECTS, type Aspect, type FocalPoint, regionOf } from '@/lib/images/framing-contract'
import { CropStage } from './crop-stage'
import { FormPreviews } from './form-previews'
import { FramingFields } from './framing-fields'
import { cropOf, toFraming, WHOLE } from './framing-moves'
import { saveFraming } from './save-framing'

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
      open
      onOpenChange={(open) => !open && input.leave(onClose)}
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
          <Button onClick={() => input.leave(onClose)}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!changed}
            busy={saving.isPending}
            onClick={() => saving.mutate()}
          >
            Save
          </Button>
        </>
      }
    >
      <div data-framing className="grid gap-5 md:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="grid content-start gap-4">
          {saving.error && (
            <Notice tone="destructive" role="alert" title="Nothing was saved">
              {saving.error.message}
            </Notice>
          )}
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
