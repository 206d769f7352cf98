'use client'
import { Input } from '@/components/ui/input'
import { plainText } from '@/lib/values/exact-json'
import type { InputProps } from './input-props'

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal'])

/** A text, or a number, which stays text until the server reads it. */
export function TextInput({ field, label, value, onChange }: InputProps) {
  return (
    <Input
      inputMode={NUMBERS.has(field.kind) ? 'decimal' : undefined}
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      value={value === undefined || value === null ? '' : plainText(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
