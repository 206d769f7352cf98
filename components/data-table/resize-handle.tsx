'use client'
import type { KeyboardEvent, PointerEvent } from 'react'
import { DEFAULT_WIDTH, MAX_WIDTH, MIN_WIDTH } from './column'

type Props = { label: string; width: number; onResize: (width: number) => void }

const KEY_STEP_PX = 16

/** By how much an arrow key makes a column wider. */
export const stepOf = (key: string): number | undefined =>
  ({ ArrowLeft: -KEY_STEP_PX, ArrowRight: KEY_STEP_PX })[key]

export const clampWidth = (value: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, value))

/** The edge of a column: dragged, moved with the arrow keys, reset with a double click. */
export function ResizeHandle({ label, width, onResize }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key)
    if (step === undefined) return
    event.preventDefault()
    onResize(clampWidth(width + step))
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    const handle = event.currentTarget
    const startX = event.clientX
    handle.setPointerCapture(event.pointerId)
    const onMove = (move: globalThis.PointerEvent) =>
      onResize(clampWidth(width + move.clientX - startX))
    handle.addEventListener('pointermove', onMove)
    handle.addEventListener(
      'lostpointercapture',
      () => handle.removeEventListener('pointermove', onMove),
      {
        once: true,
      },
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can't be dragged with the keyboard
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      tabIndex={0}
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={onPointerDown}
      onDoubleClick={() => onResize(DEFAULT_WIDTH)}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 right-0 w-2 cursor-col-resize touch-none after:absolute after:inset-y-2 after:right-0 after:w-px after:bg-border hover:after:bg-primary focus-visible:-outline-offset-2 focus-visible:after:bg-primary"
    />
  )
}
