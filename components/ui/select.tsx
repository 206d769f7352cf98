import { Select as Base } from '@base-ui/react/select'
import { CheckIcon, ChevronsUpDownIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn, controlClass, itemClass, popupClass } from './cn'
import { useCorrect } from './form-field'

type Option<T extends string = string> = { value: T; label: ReactNode }

type Props<T extends string> = {
  options: readonly Option<T>[]
  value: T | null
  onValueChange: (value: T) => void
  placeholder?: string
  /** Needed outside a `FormField`. */
  'aria-label'?: string
  /** Shows its value and keeps the focus. */
  readOnly?: boolean
  size?: 'sm' | 'md'
  /** Shows its options from the beginning, when there is no value yet. */
  startsOpen?: boolean
  className?: string
}

/** One of a few known values. */
export function Select<T extends string>(props: Props<T>) {
  const correct = useCorrect()
  const { options, value, onValueChange, placeholder = 'Choose', className, size } = props
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next) => {
        if (next === null) return
        correct()
        onValueChange(next as T)
      }}
      readOnly={props.readOnly}
      defaultOpen={props.startsOpen}
    >
      <Base.Trigger
        aria-label={props['aria-label']}
        className={cn(
          controlClass,
          'border-border hover:border-border flex items-center justify-between gap-1.5 text-left select-none hover:bg-accent/50',
          size === 'sm' ? 'h-7 px-2 text-[13px]' : 'h-8',
          className,
        )}
      >
        <Base.Value
          placeholder={placeholder}
          className="truncate data-placeholder:text-muted-foreground"
        />
        <Base.Icon>
          <ChevronsUpDownIcon aria-hidden className="size-3.5 text-muted-foreground" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className={cn(popupClass, 'min-w-(--anchor-width)')}>
            <Base.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto">
              {options.map((option) => (
                <SelectItem key={option.value} {...option} />
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function SelectItem({ value, label }: Option) {
  return (
    <Base.Item value={value} className={cn(itemClass, 'pr-8')}>
      <Base.ItemText>{label}</Base.ItemText>
      <Base.ItemIndicator className="absolute right-2">
        <CheckIcon aria-hidden className="size-3.5" />
      </Base.ItemIndicator>
    </Base.Item>
  )
}
