import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { cn } from './cn'

type Props<T extends string> = {
  'aria-label': string
  /** Null: none of them, such as where several objects differ. */
  value: T | null
  onValueChange: (value: T) => void
  options: readonly { value: T; label: string }[]
  readOnly?: boolean
  className?: string
}

/** A choice between two or three words, side by side: one Tab stop, arrows change it. */
export function Segmented<T extends string>({ options, className, ...props }: Props<T>) {
  const { onValueChange, value, readOnly, 'aria-label': label } = props
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      readOnly={readOnly}
      onValueChange={(next) => onValueChange(next as T)}
      className={cn('inline-flex shrink-0 rounded-md border bg-muted p-0.5', className)}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className="flex h-6 cursor-pointer items-center rounded border border-transparent px-2 text-xs whitespace-nowrap text-muted-foreground transition-colors select-none hover:text-foreground data-checked:border-border data-checked:bg-card data-checked:font-medium dark:data-checked:bg-accent data-checked:text-foreground data-readonly:cursor-default"
        >
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
