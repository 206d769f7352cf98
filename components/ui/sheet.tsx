import { Dialog as Base } from '@base-ui/react/dialog'
import { XIcon } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { backdropClass, FIRST_CONTROL } from './dialog'

export type SheetProps = {
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** Buttons beside the close button. */
  actions?: ReactNode
  children: ReactNode
  footer?: ReactNode
  side?: 'left' | 'right'
}

const SIDES = {
  right:
    'right-0 border-l data-starting-style:translate-x-4 data-ending-style:translate-x-4 sm:max-w-xl',
  left: 'left-0 border-r data-starting-style:-translate-x-4 data-ending-style:-translate-x-4 max-w-64',
}

/** A panel at the edge of the screen, for one object of the list behind it. */
export function Sheet(props: SheetProps) {
  const { onClose } = props
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>(FIRST_CONTROL) ?? true}
          className={cn(
            'fixed inset-y-0 z-40 flex w-full flex-col bg-popover shadow-overlay outline-none',
            'transition-[opacity,translate] duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0',
            SIDES[props.side ?? 'right'],
          )}
        >
          <SheetContents {...props} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Heading, body and buttons of a panel. */
export const SheetContents = ({ title, description, actions, children, footer }: SheetProps) => (
  <>
    <header className="flex min-h-13 items-center gap-2 border-b px-4 py-2">
      <div className="min-w-0 flex-1">
        <Base.Title className="truncate font-semibold">
          <bdi>{title}</bdi>
        </Base.Title>
        {description && (
          <Base.Description className="truncate text-xs text-muted-foreground">
            {description}
          </Base.Description>
        )}
      </div>
      {actions}
      <Base.Close render={<Button variant="ghost" size="icon-sm" aria-label="Close" />}>
        <XIcon aria-hidden />
      </Base.Close>
    </header>
    <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    {footer && <footer className="flex justify-end gap-2 border-t px-4 py-3">{footer}</footer>}
  </>
)
