'use client'
import { Field } from '@base-ui/react/field'
import { CircleAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

type Props = {
  label: ReactNode
  name?: string
  /** What to type, before anything is wrong. */
  hint?: ReactNode
  /** What is wrong, from the server or from a check in the form. */
  error?: string | null
  required?: boolean
  /** The label is read to screen readers only. */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** A control with its label, hint and error, tied together for assistive technology. */
export function FormField(props: Props) {
  const { label, name, hint, error, required, hideLabel, className, children } = props
  return (
    <Field.Root
      name={name}
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
      {children}
      {hint && (
        <Field.Description className="text-xs text-muted-foreground">{hint}</Field.Description>
      )}
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
