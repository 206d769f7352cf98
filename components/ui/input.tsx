import { Field } from '@base-ui/react/field'
import { Input as BaseInput } from '@base-ui/react/input'
import type { ComponentProps } from 'react'
import { cn, controlClass } from './cn'

/** Inside a `FormField` it is named and described by it. */
export function Input({ className, ...props }: ComponentProps<typeof BaseInput>) {
  return (
    <BaseInput dir="auto" className={cn(controlClass, 'h-8', className as string)} {...props} />
  )
}

type TextareaProps = Omit<ComponentProps<'textarea'>, 'defaultValue' | 'value'> & {
  value?: string
  defaultValue?: string
  /** Monospaced, for JSON and code. */
  code?: boolean
}

export function Textarea({ className, code, rows = 4, ...props }: TextareaProps) {
  return (
    <Field.Control
      render={<textarea dir={code ? 'ltr' : 'auto'} rows={rows} spellCheck={!code} />}
      className={cn(controlClass, 'py-1.5', code && 'font-mono text-[13px]', className)}
      {...(props as ComponentProps<typeof Field.Control>)}
    />
  )
}

type NameProps = Omit<ComponentProps<typeof Input>, 'value' | 'onValueChange'> & {
  value: string
  onValueChange: (value: string) => void
}

/**
 * For names, which the server refuses with leading or trailing spaces: they are removed visibly, when
 * the field is left or Enter is pressed.
 */
export function NameInput({ value, onValueChange, ...props }: NameProps) {
  const trim = () => {
    if (value !== value.trim()) onValueChange(value.trim())
  }
  return (
    <Input
      {...props}
      value={value}
      onValueChange={onValueChange}
      onBlur={trim}
      onKeyDown={(event) => event.key === 'Enter' && trim()}
    />
  )
}
