'use client'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { Select } from '@/components/ui/select'
import { plainText } from '@/lib/values/exact-json'
import { formatValue } from '../../format-value'
import type { InputProps } from './input-props'

/** One of the few values that a field may have: those of an enum, true and false. */
export function ChoiceInput({ field, label, value, onChange }: InputProps) {
  const options = CONSOLE_KINDS[field.kind].choices ?? field.enum ?? []
  const found = options.findIndex((option) => plainText(option) === plainText(value))
  return (
    <Select
      aria-label={label}
      value={found < 0 ? null : String(found)}
      onValueChange={(index) => onChange(options[Number(index)])}
      options={options.map((option, index) => ({
        value: String(index),
        label: field.words?.(plainText(option)) ?? formatValue(option, field),
      }))}
    />
  )
}
