'use client'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import type { InputProps } from './input-props'
import { UserInput } from './user-input'
import { WordedInput } from './worded-input'

/** A text, or a number, which stays text until the server reads it. */
export function TextInput(props: InputProps) {
  if (props.field.user) return <UserInput {...props} />
  const { inputMode, placeholder } = CONSOLE_KINDS[props.field.kind].input
  return <WordedInput {...props} {...{ inputMode, placeholder }} />
}
