import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'

type Choice<T extends string> = { value: T; label: ReactNode; hint: ReactNode }

type Props<T extends string> = {
  'aria-label': string
  value: T
  onValueChange: (value: T) => void
  choices: readonly Choice<T>[]
}

/** A choice between a few options that need a sentence each. */
export function RadioCards<T extends string>({ choices, onValueChange, ...props }: Props<T>) {
  return (
    <RadioGroup
      className="grid gap-2"
      onValueChange={(value) => onValueChange(value as T)}
      {...props}
    >
      {choices.map(({ value, label, hint }) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the radio renders its own input inside
        <label
          key={value}
          className="flex cursor-pointer items-start gap-3 rounded-lg border p-3 transition-colors hover:bg-accent/50 has-data-checked:border-primary has-data-checked:bg-primary-soft/50"
        >
          <Radio.Root
            value={value}
            className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-input bg-card data-checked:border-primary data-checked:bg-primary"
          >
            <Radio.Indicator className="size-1.5 rounded-full bg-primary-foreground" />
          </Radio.Root>
          <span className="grid gap-0.5">
            <span className="font-medium">{label}</span>
            <span className="text-xs text-muted-foreground">{hint}</span>
          </span>
        </label>
      ))}
    </RadioGroup>
  )
}
