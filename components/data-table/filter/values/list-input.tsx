'use client'
import { useViewer } from '@/components/shell/viewer'
import { TagInput } from '@/components/ui/tag-input'
import { plainText } from '@/lib/values/exact-json'
import { asList } from './adapt-value'
import type { InputProps } from './input-props'
import { meantValue, textOf } from './value-text'

/** Several values of which one is to be met. Enter in an empty control applies the filter. */
export function ListInput({ field, label, value, onChange, faultId }: InputProps) {
  const { email } = useViewer()
  return (
    <div
      onKeyDownCapture={({ key, target }) => {
        if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.value) return
        target.form?.requestSubmit()
      }}
    >
      <TagInput
        aria-label={label}
        aria-describedby={faultId}
        invalid={faultId !== undefined}
        placeholder="Value, then Enter"
        suggestions={field.user ? ['me'] : field.enum?.map(plainText)}
        value={asList(value).map((each) => textOf(each, field))}
        onValueChange={(texts) => onChange(texts.map((text) => meantValue(text, field, email)))}
      />
    </div>
  )
}
