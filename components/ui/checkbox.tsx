'use client'
import { Checkbox as Base } from '@base-ui/react/checkbox'
import { CheckIcon, MinusIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'

/** The box is 16 px; its hit area is 24. */
export function Checkbox({ className, ...props }: ComponentProps<typeof Base.Root>) {
  return (
    <Base.Root
      className={cn(
        'relative grid size-4 shrink-0 cursor-pointer place-items-center rounded border border-input bg-card',
        'before:absolute before:-inset-1 data-checked:border-primary data-checked:bg-primary',
        'data-indeterminate:border-primary data-indeterminate:bg-primary data-disabled:opacity-50',
        className as string,
      )}
      {...props}
    >
      <Base.Indicator
        className="grid text-primary-foreground data-unchecked:hidden"
        render={(indicator, { indeterminate }) => (
          <span {...indicator}>
            {indeterminate ? (
              <MinusIcon aria-hidden className="size-3" strokeWidth={3} />
            ) : (
              <CheckIcon aria-hidden className="size-3" strokeWidth={3} />
            )}
          </span>
        )}
      />
    </Base.Root>
  )
}

type LabelledProps = ComponentProps<typeof Base.Root> & { label: ReactNode; hint?: ReactNode }

export function LabelledCheckbox({ label, hint, ...props }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox renders its own input inside
    <label className="flex items-start gap-2 text-sm">
      <Checkbox className="mt-0.5" {...props} />
      <span className="grid">
        <span>{label}</span>
        {hint && <span className="text-xs text-muted-foreground">{hint}</span>}
      </span>
    </label>
  )
}
