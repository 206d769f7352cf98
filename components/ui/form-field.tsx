import { Field } from '@base-ui/react/field'
import { CircleAlertIcon } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { cn } from './cn'

type Props = {
  label: ReactNode
  /** In a `Form`: the field whose error is shown here. */
  name?: string
  /** What to type, before anything is wrong. */
  hint?: ReactNode
  /** Read to screen readers, after the hint. */
  note?: string
  /** What is wrong, from a check in the browser; it is shown in place of the form's. */
  error?: string | null
  required?: boolean
  /** The label is read to screen readers only. */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** Errors of the form around, by the names of their fields. */
export const FieldErrors = createContext<Record<string, string | undefined>>({})

export function useFieldError(name = ''): string | undefined {
  return useContext(FieldErrors)[name]
}

/** Takes the error of a field of the form around away. */
export const Correct = createContext<(name: string) => void>(() => {})
const FieldName = createContext('')

/**
 * To be called when the value of the field around changes, by controls that are no inputs: the
 * error was about the value before.
 */
export function useCorrect(): () => void {
  const correct = useContext(Correct)
  const name = useContext(FieldName)
  return () => correct(name)
}

/** A control with its label, hint and error, tied together for assistive technology. */
export function FormField(props: Props) {
  const { label, name, hint, note, required, hideLabel, className, children } = props
  const fieldError = useFieldError(name)
  const error = props.error ?? fieldError
  return (
    <Field.Root
      name={name}
      data-form-field={name}
      invalid={Boolean(error)}
      className={cn('grid content-start gap-1.5', className)}
    >
      <Field.Label className={cn('text-[13px] font-medium', hideLabel && 'sr-only')}>
        {label}
        {required && (
          <span aria-hidden className="ml-0.5 text-destructive">
            *
          </span>
        )}
      </Field.Label>
      <FieldName value={name ?? ''}>{children}</FieldName>
      {hint && (
        <Field.Description className="text-xs text-muted-foreground">{hint}</Field.Description>
      )}
      {note && <Field.Description className="sr-only">{note}</Field.Description>}
      <FieldError>{error}</FieldError>
    </Field.Root>
  )
}

function FieldError({ children }: { children?: string | null }) {
  if (!children) return null
  return (
    <Field.Error match className="flex items-start gap-1.5 text-xs text-destructive">
      <CircleAlertIcon aria-hidden className="mt-px size-3.5 shrink-0" />
      <span>{children}</span>
    </Field.Error>
  )
}
