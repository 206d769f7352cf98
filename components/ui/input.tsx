import { Input as BaseInput } from '@base-ui/react/input'
import type { ComponentProps } from 'react'
import { cn } from './cn'
import { controlClass } from './control'

/** Inside a `FormField` it is named and described by it. */
export function Input({ className, ...props }: ComponentProps<typeof BaseInput>) {
  return <BaseInput className={cn(controlClass, 'h-8', className as string)} {...props} />
}
