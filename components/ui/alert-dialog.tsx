import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type ReactNode, useId, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { backdropClass } from './dialog'
import { Input } from './input'

type Props = {
  onClose: () => void
  /** A question that names the action and its object: `Delete Airport LHR?` */
  title: ReactNode
  /** What is lost, and whether it can be undone. */
  description: ReactNode
  children?: ReactNode
  /** The action as a verb: `Delete 3 records`. */
  confirmLabel: string
  cancelLabel?: string
  onConfirm: () => void
  /** The action itself: how far it is, and why the last attempt failed. */
  attempt?: { isPending: boolean; error: Error | null }
  disabled?: boolean
  /** Why it can't be done, where no attempt says so. */
  error?: string | null
  /** To be typed before the action is allowed. */
  typeToConfirm?: string
  tone?: 'destructive' | 'primary'
  size?: 'md' | 'lg'
}

/** Asks before an action that can't be undone. The caller closes it after success. */
export function ConfirmDialog({ onClose, size = 'md', ...props }: Props) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className={backdropClass} />
        <Base.Viewport className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] place-items-center p-4">
          <Base.Popup
            className={cn(
              'flex max-h-[calc(100dvh-2rem)] w-full flex-col rounded-xl border bg-popover shadow-overlay outline-none overlay-fade',
              size === 'lg' ? 'max-w-3xl' : 'max-w-md',
            )}
          >
            <Body {...props} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function Body(props: Omit<Props, 'onClose' | 'size'>) {
  const { title, description, children, confirmLabel, onConfirm, attempt } = props
  const { typeToConfirm, tone = 'destructive', cancelLabel = 'Cancel' } = props
  const busy = attempt?.isPending
  const error = attempt?.error?.message ?? props.error
  const [typed, setTyped] = useState('')
  const blocked = props.disabled || (typeToConfirm !== undefined && typed !== typeToConfirm)
  return (
    <form
      className="flex min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (!blocked) onConfirm()
      }}
    >
      <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] gap-3 overflow-y-auto px-5 py-4">
        <Base.Title className="text-base font-semibold wrap-anywhere">{title}</Base.Title>
        <Base.Description render={<div />} className="text-muted-foreground">
          {description}
        </Base.Description>
        {children}
        {typeToConfirm !== undefined && (
          <TypeToConfirm word={typeToConfirm} value={typed} onChange={setTyped} />
        )}
        {error && (
          <p role="alert" className="text-[13px] text-destructive">
            {error}
          </p>
        )}
      </div>
      <footer className="flex justify-end gap-2 border-t px-5 py-3">
        <Base.Close render={<Button />} disabled={busy}>
          {cancelLabel}
        </Base.Close>
        <Button type="submit" variant={tone} busy={busy} disabled={blocked}>
          {confirmLabel}
        </Button>
      </footer>
    </form>
  )
}

type TypeToConfirmProps = { word: string; value: string; onChange: (value: string) => void }

/** Asks for a word before an action that concerns much. */
export function TypeToConfirm({ word, value, onChange }: TypeToConfirmProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px]">
        Type <strong className="font-mono font-medium wrap-anywhere">{word}</strong> to confirm
      </label>
      <Input
        id={id}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
