import { useId, useState } from 'react'
import { Input } from '@/components/ui/input'
import type { Crop, FocalPoint } from '@/lib/images/framing-contract'
import { cropOf, middleOf, movePoint, pixelsOf, type Size } from './framing-moves'

type Props = {
  size: Size
  crop: Crop
  focalPoint: FocalPoint | null
  onCrop: (crop: Crop) => void
  onFocalPoint: (point: FocalPoint) => void
}

const SIDES = [
  ['left', 'Left'],
  ['top', 'Top'],
  ['width', 'Width'],
  ['height', 'Height'],
] as const

/** Crop and focal point as numbers. */
export function FramingFields({ size, crop, focalPoint, onCrop, onFocalPoint }: Props) {
  const pixels = pixelsOf(crop, size)
  const point = focalPoint ?? middleOf(crop)
  const inPercent = (fraction: number) => Math.round(fraction * 1000) / 10
  return (
    <div className="grid gap-4">
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1.5 text-[13px] font-medium">Crop, in pixels</legend>
        {SIDES.map(([side, label]) => (
          <NumberField
            key={side}
            label={label}
            value={pixels[side]}
            onValue={(value) => onCrop(cropOf({ ...pixels, [side]: Math.round(value) }, size))}
          />
        ))}
      </fieldset>
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1.5 text-[13px] font-medium">Focal point, in percent</legend>
        <NumberField
          label="From the left"
          value={inPercent(point.x)}
          onValue={(value) => onFocalPoint(movePoint({ x: value / 100, y: point.y }, STAY))}
        />
        <NumberField
          label="From the top"
          value={inPercent(point.y)}
          onValue={(value) => onFocalPoint(movePoint({ x: point.x, y: value / 100 }, STAY))}
        />
      </fieldset>
    </div>
  )
}

const STAY = { x: 0, y: 0 }

type FieldProps = { label: string; value: number; onValue: (value: number) => void }

/** Keeps what is typed until it is left: on the way to a number there may be none. */
function NumberField({ label, value, onValue }: FieldProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs text-muted-foreground">
        {label}
      </label>
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={typed ?? String(value)}
        onValueChange={(text) => {
          setTyped(text)
          const number = Number(text)
          if (text.trim() !== '' && Number.isFinite(number)) onValue(number)
        }}
        onBlur={() => setTyped(null)}
      />
    </div>
  )
}
