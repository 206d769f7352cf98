import { Dialog as Base } from '@base-ui/react/dialog'
import { XIcon } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { useIsOnline } from './use-is-online'

type Props = {
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children: ReactNode
  /** Buttons; the main one comes last. */
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** Holds nothing that takes the focus: the body does, so that the keyboard can scroll it. */
  isText?: boolean
  /** Esc and presses outside don't close it: only its buttons do. */
  stays?: boolean
  /** A selector of the control to start with, in place of the first one of the form. */
  initialFocus?: string
}

const WIDTHS = { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-2xl', xl: 'max-w-5xl' }

export const backdropClass =
  'fixed inset-0 z-40 bg-black/40 overlay-fade dark:bg-black/60 print:hidden'

/** A form starts with the focus on its first control. */
export const FIRST_CONTROL = 'form :is(input:not([type="hidden"]), textarea, [role="combobox"])'

const OUTSIDE: readonly string[] = ['escape-key', 'outside-press']

/** A modal window; the body scrolls, title and buttons stay. */
export function Dialog(props: Props) {
  const { onClose, title, description, children, footer, size = 'md' } = props
  const popup = useRef<HTMLDivElement>(null)
  const { stays, initialFocus = FIRST_CONTROL } = props
  return (
    <Base.Root
      open
      onOpenChange={(open, { reason }) => {
        if (!open && !(stays && OUTSIDE.includes(reason))) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] place-items-center p-4 print:static print:block print:p-0">
          <Base.Popup
            ref={popup}
            initialFocus={() => popup.current?.querySelector<HTMLElement>(initialFocus) ?? true}
            className={cn(
              'flex max-h-[calc(100dvh-2rem)] w-full flex-col rounded-xl border bg-popover shadow-overlay outline-none overlay-fade',
              WIDTHS[size],
            )}
          >
            <header className="flex items-start gap-3 border-b px-5 py-3.5">
              <div className="grid min-w-0 flex-1 gap-0.5">
                <Base.Title className="text-base font-semibold">{title}</Base.Title>
                {description && (
                  <Base.Description className="text-[13px] text-muted-foreground">
                    {description}
                  </Base.Description>
                )}
              </div>
              <Base.Close render={<Button variant="ghost" size="icon-sm" aria-label="Close" />}>
                <XIcon aria-hidden />
              </Base.Close>
            </header>
            <div
              tabIndex={props.isText ? 0 : undefined}
              className="min-h-0 flex-1 overflow-y-auto px-5 py-4"
            >
              {children}
            </div>
            {footer && (
              <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">
                {footer}
              </footer>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

type ButtonsProps = {
  onCancel: () => void
  cancelLabel?: string
  cancelDisabled?: boolean
  /** The action as a verb. */
  label: ReactNode
  /** The form that the action sends; without one it is `onClick`. */
  form?: string
  onClick?: () => void
  busy?: boolean
  disabled?: boolean
}

/** The end of a window: away, or the action. */
export function DialogButtons(props: ButtonsProps) {
  const { onCancel, cancelLabel = 'Cancel', cancelDisabled, label, form, ...action } = props
  const waits = !useIsOnline() && Boolean(action.busy)
  return (
    <>
      <Button onClick={onCancel} disabled={cancelDisabled}>
        {cancelLabel}
      </Button>
      <Button
        variant="primary"
        type={form ? 'submit' : 'button'}
        form={form}
        {...action}
        busy={action.busy && !waits}
        disabled={action.disabled || waits}
      >
        {waits ? 'Waiting for the connection' : label}
      </Button>
    </>
  )
}
