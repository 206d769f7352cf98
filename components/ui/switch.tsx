'use client'
import { Switch as Base } from '@base-ui/react/switch'
import type { ComponentProps } from 'react'
import { cn } from './cn'

export function Switch({ className, ...props }: ComponentProps<typeof Base.Root>) {
  return (
    <Base.Root
      className={cn(
        'relative inline-flex h-5 w-9 shrink-0 cursor-pointer items-center rounded-full border border-input bg-muted p-px transition-colors',
        'before:absolute before:-inset-0.5 data-checked:border-primary data-checked:bg-primary data-disabled:opacity-50',
        className as string,
      )}
      {...props}
    >
      <Base.Thumb className="size-4 rounded-full bg-card shadow-sm ring-1 ring-input transition-transform data-checked:translate-x-4 data-checked:ring-0" />
    </Base.Root>
  )
}
