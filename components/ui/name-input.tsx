import type { ComponentProps } from 'react'
import { Input } from './input'

type Props = Omit<ComponentProps<typeof Input>, 'value' | 'onValueChange'> & {
  value: string
  onValueChange: (value: string) => void
}

/**
 * For names, which the server refuses with leading or trailing spaces: they are removed visibly, when
 * the field is left or Enter is pressed.
 */
export function NameInput({ value, onValueChange, ...props }: Props) {
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
