import { CircleAlertIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { NOT_JSON } from '@/components/kinds/value-forms'

type Props = {
  label: string
  /** On hover over the label. */
  title: string
  required: boolean
  hint?: ReactNode
  note?: string
  error?: string
  /** Beside the label. */
  toggle?: ReactNode
  children: ReactNode
}

/** Several controls under one label. */
export function FieldGroup({ toggle, children, ...props }: Props) {
  const id = useId()
  const { label, title, required, hint, note, error } = props
  return (
    <fieldset
      aria-labelledby={`${id}label`}
      aria-describedby={error ? `${id}hint ${id}error` : `${id}hint`}
      className="grid min-w-0 gap-1.5"
    >
      <div className="flex items-center justify-between gap-2 text-[13px] font-medium">
        <span id={`${id}label`} title={title}>
          {label}
          {required && (
            <span aria-hidden className="ml-0.5 text-destructive">
              *
            </span>
          )}
        </span>
        {toggle}
      </div>
      {children}
      <p id={`${id}hint`} className="text-xs text-muted-foreground empty:hidden">
        {hint}
        {note && <span className="sr-only">{` (${note})`}</span>}
      </p>
      {error && (
        <p id={`${id}error`} className="flex items-start gap-1.5 text-xs text-destructive">
          <CircleAlertIcon aria-hidden className="mt-px size-3.5 shrink-0" />
          {error.startsWith(NOT_JSON) ? 'Correct what is marked above' : error}
        </p>
      )}
    </fieldset>
  )
}
