'use client'
import { TagInput } from '@/components/ui/tag-input'
import { plainText } from '@/lib/values/exact-json'
import { asList } from './adapt-value'
import type { InputProps } from './input-props'

/** Several values of which one is to be met. */
export function ListInput({ field, label, value, onChange }: InputProps) {
  return (
    <TagInput
      aria-label={label}
      placeholder="Value, then Enter"
      suggestions={field.enum?.map(plainText)}
      value={asList(value)}
      onValueChange={onChange}
    />
  )
}
