'use client'
import { Input } from '@/components/ui/input'
import { toIso, toLocal } from '@/components/ui/local-time'
import { plainText } from '@/lib/values/exact-json'
import type { InputProps } from './input-props'

/** A date, an instant in the reader's time zone, or a time of day. */
export function TimeInput({ field, label, value, onChange }: InputProps) {
  const isInstant = field.kind === 'datetime'
  const text = value === undefined || value === null ? '' : plainText(value)
  return (
    <Input
      type={isInstant ? 'datetime-local' : field.kind}
      step={isInstant ? 1 : undefined}
      aria-label={label}
      value={isInstant ? toLocal(text) : text}
      onChange={({ target }) => onChange(isInstant ? toIso(target.value) : target.value)}
    />
  )
}
