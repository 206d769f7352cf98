'use client'
import { type ComponentProps, useId, useState } from 'react'
import { useViewer } from '@/components/shell/viewer'
import { Input } from '@/components/ui/input'
import { faultProps, type InputProps } from './input-props'
import { meantValue, textOf } from './value-text'

type Props = InputProps & {
  placeholder?: string
  suggestions?: readonly string[]
  inputMode?: ComponentProps<'input'>['inputMode']
}

/** A text control whose text stands for a value: what is typed stays as it was typed. */
export function WordedInput({ field, label, value, onChange, faultId, ...props }: Props) {
  const { email } = useViewer()
  const [typed, setTyped] = useState({ text: '', value: undefined as unknown })
  const listId = useId()
  const { suggestions, placeholder = label, inputMode } = props
  return (
    <>
      <Input
        aria-label={label}
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        list={suggestions && listId}
        value={typed.value === value ? typed.text || textOf(value, field) : textOf(value, field)}
        onChange={({ target }) => {
          const next = meantValue(target.value, field, email)
          setTyped({ text: target.value, value: next })
          onChange(next)
        }}
        {...faultProps(faultId)}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}
