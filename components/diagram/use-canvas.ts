import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'

const [LEAST, MOST] = [0.2, 2]
const STEP = 1.2
const READABLE = 0.8
const within = (zoom: number) => Math.min(MOST, Math.max(LEAST, zoom))

type Size = { width: number; height: number }

/** An area that scrolls, in which something of this size is shown larger or smaller, and moved by dragging. */
export function useCanvas(size: Size | undefined) {
  const area = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)

  /** What is in the middle stays there. */
  const zoomTo = useCallback((next: (zoom: number) => number) => {
    setZoom((before) => {
      const after = within(next(before))
      const element = area.current
      if (element) {
        const { scrollLeft, scrollTop, clientWidth, clientHeight } = element
        const x = ((scrollLeft + clientWidth / 2) / before) * after - clientWidth / 2
        const y = ((scrollTop + clientHeight / 2) / before) * after - clientHeight / 2
        requestAnimationFrame(() => element.scrollTo(x, y))
      }
      return after
    })
  }, [])
  const zoomIn = useCallback(() => zoomTo((zoom) => zoom * STEP), [zoomTo])
  const zoomOut = useCallback(() => zoomTo((zoom) => zoom / STEP), [zoomTo])
  const showAll = useCallback(() => {
    const { clientWidth, clientHeight } = area.current ?? {}
    if (!size?.width || !size.height || !clientWidth || !clientHeight) return
    setZoom(within(Math.min(1, clientWidth / size.width, clientHeight / size.height)))
    area.current?.scrollTo(0, 0)
  }, [size])

  // A small diagram is seen as a whole at first, a large one as large as it can be read.
  useEffect(() => {
    showAll()
    setZoom((zoom) => Math.max(READABLE, zoom))
    const frame = requestAnimationFrame(() => {
      const {
        scrollWidth = 0,
        scrollHeight = 0,
        clientWidth = 0,
        clientHeight = 0,
      } = area.current ?? {}
      area.current?.scrollTo((scrollWidth - clientWidth) / 2, (scrollHeight - clientHeight) / 2)
    })
    return () => cancelAnimationFrame(frame)
  }, [showAll])
  useWheelZoom(area, zoomTo)
  return {
    area,
    zoom,
    zoomIn,
    zoomOut,
    showAll,
    handlers: handlersOf({ zoomIn, zoomOut, showAll }),
  }
}

/** As maps do: with Ctrl, or two fingers on a touchpad. React listens passively, and could not keep the page from zooming. */
function useWheelZoom(
  area: { current: HTMLElement | null },
  zoomTo: (next: (zoom: number) => number) => void,
): void {
  useEffect(() => {
    const element = area.current
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      zoomTo((zoom) => zoom * Math.exp(-event.deltaY / 300))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [area, zoomTo])
}

type Actions = Record<'zoomIn' | 'zoomOut' | 'showAll', () => void>

const handlersOf = ({ zoomIn, zoomOut, showAll }: Actions) => ({
  onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': showAll }[event.key]
    if (!action) return
    event.preventDefault()
    action()
  },
  onPointerDown(event: PointerEvent<HTMLElement>) {
    // Fingers scroll by themselves, and boxes are links.
    if (event.pointerType !== 'mouse' || event.button !== 0) return
    if ((event.target as Element).closest('a')) return
    event.currentTarget.setPointerCapture(event.pointerId)
  },
  onPointerMove(event: PointerEvent<HTMLElement>) {
    const { currentTarget, pointerId, movementX, movementY } = event
    if (currentTarget.hasPointerCapture(pointerId)) currentTarget.scrollBy(-movementX, -movementY)
  },
})
