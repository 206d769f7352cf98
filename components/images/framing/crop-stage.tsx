import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import type { Image } from '@/lib/images/contract'
import type { Crop, FocalPoint } from '@/lib/images/framing-contract'
import { checkerClass } from '../picture'
import { sourceOf } from '../source-of'
import {
  type Handle,
  middleOf,
  moveCrop,
  movePoint,
  resizeCrop,
  type Step,
  stepOf,
} from './framing-moves'

type Props = {
  image: Image
  crop: Crop
  focalPoint: FocalPoint | null
  onCrop: (crop: Crop) => void
  onFocalPoint: (point: FocalPoint) => void
}

const SIDES = [-1, 0, 1] as const
const HANDLES = SIDES.flatMap((y) => SIDES.map((x): Handle => ({ x, y }))).filter(
  ({ x, y }) => x !== 0 || y !== 0,
)
const percent = (fraction: number) => `${fraction * 100}%`

/** The whole image, with its crop and its focal point to be dragged, or moved with the arrow keys. */
export function CropStage({ image, crop, focalPoint, onCrop, onFocalPoint }: Props) {
  const area = useRef<HTMLDivElement>(null)
  const keys = useId()
  const { width, height, secureUri, name } = image
  const drag = useDrag(area)
  const point = focalPoint ?? middleOf(crop)
  const resize = (handle: Handle, by: Step, from = crop) =>
    onCrop(resizeCrop(from, handle, by, image))
  return (
    <div className="grid gap-2">
      {/* Handles at the edges reach beyond it. */}
      <div className="px-2">
        <div
          ref={area}
          className={cn('relative mx-auto touch-none select-none', checkerClass)}
          style={{
            aspectRatio: `${width} / ${height}`,
            maxWidth: `calc(48dvh * ${width / height})`,
          }}
        >
          {/* biome-ignore lint/performance/noImgElement: the original, which is cropped here */}
          <img src={sourceOf(secureUri)} alt="" draggable={false} className="size-full" />
          <div aria-hidden className="absolute inset-0 overflow-hidden">
            <div
              className="absolute shadow-[0_0_0_9999px_rgb(0_0_0/0.55)] outline-2 outline-white"
              style={boxOf(crop)}
            />
          </div>
          <button
            type="button"
            aria-label={`Crop of ${name}`}
            aria-describedby={keys}
            className="absolute cursor-move focus-visible:outline-3 focus-visible:outline-offset-0"
            style={boxOf(crop)}
            {...drag(crop, (before, by) => onCrop(moveCrop(before, by)))}
            onKeyDown={onArrows((by, isResized) =>
              isResized ? resize({ x: 1, y: 1 }, by) : onCrop(moveCrop(crop, by)),
            )}
          />
          {HANDLES.map((handle) => (
            <span
              key={`${handle.x} ${handle.y}`}
              aria-hidden
              className={cn(
                'absolute size-6 -translate-1/2 p-1.5 after:block after:size-full after:rounded-full after:border after:border-black/60 after:bg-white',
                CURSORS[`${handle.x * handle.y || (handle.x ? 'x' : 'y')}`],
              )}
              style={{
                left: percent(crop.x + (crop.width * (handle.x + 1)) / 2),
                top: percent(crop.y + (crop.height * (handle.y + 1)) / 2),
              }}
              {...drag(crop, (before, by) => resize(handle, by, before))}
            />
          ))}
          <button
            type="button"
            aria-label={`Focal point of ${name}`}
            aria-describedby={keys}
            className={cn(
              'absolute grid size-8 -translate-1/2 cursor-grab place-items-center rounded-full border-2 border-white bg-black/40 outline-black/60 after:size-1.5 after:rounded-full after:bg-white focus-visible:outline-3',
              !focalPoint && 'border-dashed',
            )}
            style={{ left: percent(point.x), top: percent(point.y) }}
            {...drag(point, (before, by) => onFocalPoint(movePoint(before, by)))}
            onKeyDown={onArrows((by) => onFocalPoint(movePoint(point, by)))}
          />
        </div>
      </div>
      <p id={keys} className="text-xs text-muted-foreground">
        Drag, or use the arrow keys (Alt for small steps); Shift and arrow keys resize the crop.
      </p>
    </div>
  )
}

const boxOf = ({ x, y, width, height }: Crop) => ({
  ...{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) },
})

const CURSORS: Record<string, string> = {
  '1': 'cursor-nwse-resize',
  '-1': 'cursor-nesw-resize',
  x: 'cursor-ew-resize',
  y: 'cursor-ns-resize',
}

const onArrows = (move: (by: Step, isResized: boolean) => void) => (event: KeyboardEvent) => {
  const by = stepOf(event)
  if (!by) return
  event.preventDefault()
  move(by, event.shiftKey)
}

/** Calls back with how far a pointer has come since it went down, in fractions of `area`, and what was there then. */
function useDrag(area: { current: HTMLElement | null }) {
  const start = useRef<{ x: number; y: number; value: unknown } | null>(null)
  const end = () => {
    start.current = null
  }
  return <T,>(value: T, move: (before: T, by: Step) => void) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = { x: event.clientX, y: event.clientY, value }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const box = area.current?.getBoundingClientRect()
      if (!start.current || !box) return
      const { x, y, value: before } = start.current
      move(before as T, { x: (clientX - x) / box.width, y: (clientY - y) / box.height })
    },
    onPointerUp: end,
    onPointerCancel: end,
  })
}
