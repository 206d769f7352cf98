'use client'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { plainText } from '@/lib/values/exact-json'
import { isMade } from './draft'
import { ReferenceInput } from './reference-input'
import { hintsOf } from './rules-text'
import type { ColumnDescription } from './types'

type Props = {
  column: ColumnDescription
  value: string
  error?: string
  onChange: (value: string) => void
}

/** The control that a field's type and rules ask for. */
export function FieldControl({ column, value, error, onChange }: Props) {
  const { name, label, description, rules } = column
  return (
    <FormField
      label={label ?? name}
      required={rules.required && rules.default === undefined}
      hint={[isMade(column) && 'Made by the server when empty', description, hintsOf(column)]
        .filter(Boolean)
        .join('. ')}
      error={error}
    >
      <Control column={column} value={value} onChange={onChange} />
    </FormField>
  )
}

const LONG_TEXT = 255
const INPUT_TYPES: Record<string, string> = {
  email: 'email',
  url: 'url',
  phone: 'tel',
  date: 'date',
  datetime: 'datetime-local',
  time: 'time',
}

function Control({ column, value, onChange }: Omit<Props, 'error'>) {
  const { kind, type, rules } = column
  if (rules.reference) {
    return <ReferenceInput reference={rules.reference} value={value} onChange={onChange} />
  }
  const options = kind === 'boolean' ? ['true', 'false'] : rules.enum?.map(plainText)
  if (options) return <Choice options={options} value={value} column={column} onChange={onChange} />
  if (kind === 'json' || kind === 'object' || kind === 'array') {
    return (
      <Textarea code rows={5} value={value} onChange={(event) => onChange(event.target.value)} />
    )
  }
  if (kind === 'text' && /text/.test(type) && (rules.maxLength ?? LONG_TEXT + 1) > LONG_TEXT) {
    return <Textarea rows={4} value={value} onChange={(event) => onChange(event.target.value)} />
  }
  const isNumber = kind === 'integer' || kind === 'float' || kind === 'decimal'
  return (
    <Input
      type={INPUT_TYPES[rules.format ?? type] ?? INPUT_TYPES[kind] ?? 'text'}
      step={kind === 'datetime' || kind === 'time' ? 1 : undefined}
      inputMode={isNumber ? 'decimal' : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type ChoiceProps = Omit<Props, 'error'> & { options: string[] }

function Choice({ options, value, column, onChange }: ChoiceProps) {
  const none = column.rules.required ? [] : [{ value: NONE, label: 'No value' }]
  return (
    <Select
      value={value === '' ? (column.rules.required ? null : NONE) : value}
      onValueChange={(next) => onChange(next === NONE ? '' : next)}
      options={[...none, ...options.map((option) => ({ value: option, label: option }))]}
    />
  )
}

/** No value of an enum is likely to be spelt so. */
const NONE = '\u0000'
