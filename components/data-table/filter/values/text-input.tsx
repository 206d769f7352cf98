'use client'
import type { InputProps } from './input-props'
import { UserInput } from './user-input'
import { WordedInput } from './worded-input'

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal'])

/** A text, or a number, which stays text until the server reads it. */
export function TextInput(props: InputProps) {
  if (props.field.user) return <UserInput {...props} />
  return (
    <WordedInput {...props} inputMode={NUMBERS.has(props.field.kind) ? 'decimal' : undefined} />
  )
}
