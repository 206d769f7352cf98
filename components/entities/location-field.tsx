import type { ReactNode } from 'react'
import { Input } from '@/components/ui/input'
import { FieldGroup } from './nested/field-group'

type Props = {
  label: string
  /** On hover over the label. */
  title: string
  required: boolean
  hint?: ReactNode
  note?: string
  error?: string
  /** `48.8584, 2.2945`; empty: none. */
  value: string
  onChange: (text: string) => void
}

const PARTS = ['Latitude', 'Longitude'] as const

/** A location as two numbers. Both pasted into one of them go where they belong. */
export function LocationField({ value, onChange, ...props }: Props) {
  const [lat = '', lon = ''] = value.split(',').map((part) => part.trim())
  const change = (at: number, text: string) => {
    const both = text.includes(',') ? text.split(',') : [lat, lon].with(at, text)
    const [first = '', second = ''] = both.map((part) => part.trim())
    onChange(first === '' && second === '' ? '' : `${first}, ${second}`)
  }
  return (
    <FieldGroup {...props}>
      <div className="grid grid-cols-2 gap-1.5">
        {PARTS.map((part, at) => (
          <Input
            key={part}
            aria-label={`${part} of ${props.label}`}
            placeholder={part}
            inputMode="decimal"
            autoComplete="off"
            value={[lat, lon][at]}
            onChange={({ target }) => change(at, target.value)}
          />
        ))}
      </div>
    </FieldGroup>
  )
}
