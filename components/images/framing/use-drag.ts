'use client'
import { type PointerEvent, useRef } from 'react'
import type { Step } from './framing-moves'

/** Calls back with how far a pointer has come since it went down, in fractions of `area`, and what was there then. */
export function useDrag(area: { current: HTMLElement | null }) {
  const start = useRef<{ x: number; y: number; value: unknown } | null>(null)
  const end = () => {
    start.current = null
  }
  return <T>(value: T, move: (before: T, by: Step) => void) => ({
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
