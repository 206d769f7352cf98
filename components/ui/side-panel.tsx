import { Dialog as Base } from '@base-ui/react/dialog'
import {
  type KeyboardEvent,
  type PointerEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { readPrivate, writePrivate } from './private-storage'
import { Sheet, SheetContents, type SheetProps } from './sheet'

/** A panel beside what it belongs to, which stays usable; over it where there is no room for both. */
export const SidePanel = (props: SheetProps) =>
  useIsWide() ? <Beside {...props} /> : <Sheet {...props} />

const WIDE = '(min-width: 64rem)'

const useIsWide = () =>
  useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(WIDE)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia(WIDE).matches,
    () => true,
  )

function Beside(props: SheetProps) {
  const popup = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(rememberedWidth)
  // The page's content makes room.
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--beside', `${width}px`)
    return () => void style.removeProperty('--beside')
  }, [width])
  const resize = (wanted: number) => {
    const next = Math.round(Math.min(maxWidth(), Math.max(MIN_WIDTH, wanted)))
    setWidth(next)
    writePrivate(WIDTH_NAME, String(next))
  }
  return (
    <Base.Root
      open
      modal={false}
      disablePointerDismissal
      onOpenChange={(open) => !open && props.onClose()}
    >
      <Base.Portal>
        <Base.Popup
          ref={popup}
          initialFocus={popup}
          style={{ width }}
          className="fixed top-12 right-0 bottom-0 z-20 flex flex-col border-l bg-popover outline-none"
        >
          <Resizer width={width} onResize={resize} />
          <SheetContents {...props} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const WIDTH_NAME = 'panel-width'
const USUAL_WIDTH = 576
const MIN_WIDTH = 360
/** For what it stands beside, with the sidebar. */
const ROOM_BESIDE = 560

const maxWidth = () => Math.max(MIN_WIDTH, window.innerWidth - ROOM_BESIDE)

const rememberedWidth = () =>
  Math.min(maxWidth(), Math.max(MIN_WIDTH, Number(readPrivate(WIDTH_NAME)) || USUAL_WIDTH))

const STEP = 24

type ResizerProps = { width: number; onResize: (width: number) => void }

/** The edge of the panel: dragged, or moved with the arrow keys. */
function Resizer({ width, onResize }: ResizerProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    event.stopPropagation()
    onResize(width + (event.key === 'ArrowLeft' ? STEP : -STEP))
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    if (currentTarget.hasPointerCapture(pointerId)) onResize(window.innerWidth - clientX)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can't be dragged with the keyboard
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={maxWidth()}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onResize(USUAL_WIDTH)}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-primary/30 focus-visible:bg-primary"
    />
  )
}
