'use client'
import { CropIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import type { Image } from '@/lib/images/contract'
import { pixelsOf } from './framing-moves'

const FramingDialog = dynamic(() => import('./framing-dialog'), { ssr: false })

/** What smaller forms of an image show, and its editor for those who may change it. */
export function ImageFraming({ image }: { image: Image }) {
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
