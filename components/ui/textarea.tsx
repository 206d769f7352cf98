import { Field } from '@base-ui/react/field'
import type { ComponentProps } from 'react'
import { cn } from './cn'
import { controlClass } from './control'

type Props = Omit<ComponentProps<'textarea'>, 'defaultValue' | 'value'> & {
  value?: string
  defaultValue?: string
  /** Monospaced, for JSON and code. */
  code?: boolean
}

export function Textarea({ className, code, rows = 4, ...props }: Props) {
  return (
    <Field.Control
      render={<textarea rows={rows} spellCheck={!code} />}
      className={cn(controlClass, 'py-1.5', code && 'font-mono text-[13px]', className)}
      {...(props as ComponentProps<typeof Field.Control>)}
    />
  )
}
