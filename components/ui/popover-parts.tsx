import { Popover as Base } from '@base-ui/react/popover'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { cn, popupClass } from './cn'

type Props = {
  trigger: ReactElement
  /** Read to screen readers as the panel's name. */
  title: string
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'end' | 'center'
  className?: string
  defaultOpen?: boolean
}

/** A small panel of controls beside the button that opens it. */
export function Popover({ trigger, title, children, align = 'start', className, ...state }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root {...state}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-40">
          <Base.Popup
            ref={popup}
            // Content that has focused a part of itself keeps the focus there.
            initialFocus={() => !popup.current?.contains(document.activeElement)}
            className={cn(
              popupClass,
              'max-h-(--available-height) max-w-[calc(100vw-1rem)] overflow-y-auto p-3',
              className,
            )}
          >
            <Base.Title className="sr-only">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
