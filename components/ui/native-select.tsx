import { ChevronsUpDownIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn, controlClass } from './cn'

type Props = Omit<ComponentProps<'select'>, 'onChange'> & {
  options: readonly { value: string; label: string }[]
  onValueChange: (value: string) => void
}

/** The browser's own, for a few short values where nothing is to be loaded. */
export function NativeSelect({ options, onValueChange, className, ...props }: Props) {
  return (
    <span className={cn('relative inline-block', className)}>
      <select
        className={cn(
          controlClass,
          'border-border hover:border-border hover:bg-accent/50 h-7 cursor-pointer appearance-none py-0 pr-7 pl-2 text-[13px]',
        )}
        onChange={(event) => onValueChange(event.target.value)}
        {...props}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronsUpDownIcon
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  )
}
