import { XIcon } from 'lucide-react'
import { useState } from 'react'
import { ReferenceInput } from '@/components/entities/reference-input'
import { plainText } from '@/lib/values/exact-json'
import type { FilterField } from '../field'
import { asList, type InputProps } from './value-text'

/** What a reference is compared with is chosen as in forms: by the name or the id of the record. */
export const isChosenByName = ({ reference, beyond }: FilterField): boolean =>
  reference !== undefined && beyond !== undefined

export function ReferenceControl({ field, label, value, onChange }: InputProps) {
  if (!field.reference) return null
  return (
    <ReferenceInput
      reference={field.reference}
      aria-label={label}
      value={value === undefined || value === null ? '' : plainText(value)}
      onChange={onChange}
    />
  )
}

/** Several records; each that is chosen, or typed and ended with Enter or by leaving the control, joins the others. */
export function ReferenceListControl({ field, label, value, onChange }: InputProps) {
  const [text, setText] = useState('')
  const values = asList(value)
  const add = (added: string) => {
    if (added.trim() !== '') onChange([...new Set([...values, added.trim()])])
    setText('')
  }
  if (!field.reference) return null
  return (
    <div className="grid gap-1.5">
      {values.length > 0 && (
        <ul aria-label="Chosen" className="flex flex-wrap gap-1">
          {values.map((each) => (
            <li
              key={each}
              className="flex h-6 max-w-full items-center rounded bg-accent pl-1.5 text-[13px]"
            >
              <span className="truncate">{named(each, field)}</span>
              <button
                type="button"
                aria-label={`Remove ${each}`}
                className="grid size-6 shrink-0 place-items-center rounded text-muted-foreground hover:text-foreground"
                onClick={() => onChange(values.filter((other) => other !== each))}
              >
                <XIcon aria-hidden className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <ReferenceInput
        reference={field.reference}
        aria-label={label}
        value={text}
        onChange={setText}
        onChosen={add}
      />
    </div>
  )
}

function named(value: string, { titles }: FilterField): string {
  const title = titles?.get(value)
  return title === undefined ? value : `${title} (${value})`
}
