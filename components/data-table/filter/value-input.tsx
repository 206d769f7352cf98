'use client'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import type { Kind } from '@/lib/definitions/definition'
import { plainText } from '@/lib/values/exact-json'
import type { FilterField } from './field'
import { type Arity, arityOf } from './operators'

type Props = {
  field: FilterField
  operator: string
  value: unknown
  onChange: (value: unknown) => void
}

const INPUT_TYPES: Partial<Record<Kind, string>> = {
  date: 'date',
  datetime: 'datetime-local',
  time: 'time',
}

/** The control that fits a field and an operator. Numbers stay text until the server reads them. */
export function ValueInput({ field, operator, value, onChange }: Props) {
  const arity = arityOf(operator)
  if (arity === 'none') return null
  if (arity === 'list') {
    return (
      <TagInput
        aria-label="Values"
        placeholder="Value, then Enter"
        suggestions={field.enum?.map(plainText)}
        value={asList(value)}
        onValueChange={onChange}
      />
    )
  }
  if (arity === 'two') {
    const [from, to] = asPair(value)
    return (
      <div className="flex items-center gap-1.5">
        <OneValue
          field={field}
          label="From"
          value={from}
          onChange={(next) => onChange([next, to])}
        />
        <span className="text-xs text-muted-foreground">and</span>
        <OneValue field={field} label="To" value={to} onChange={(next) => onChange([from, next])} />
      </div>
    )
  }
  return <OneValue field={field} label="Value" value={value} onChange={onChange} />
}

type OneProps = {
  field: FilterField
  label: string
  value: unknown
  onChange: (value: unknown) => void
}

function OneValue({ field, label, value, onChange }: OneProps) {
  const options = field.kind === 'boolean' ? [true, false] : field.enum
  if (options) {
    const found = options.findIndex((option) => plainText(option) === plainText(value))
    return (
      <Select
        aria-label={label}
        value={found < 0 ? null : String(found)}
        onValueChange={(index) => onChange(options[Number(index)])}
        options={options.map((option, index) => ({
          value: String(index),
          label: plainText(option),
        }))}
      />
    )
  }
  if (field.kind === 'datetime') {
    return (
      <Input
        type="datetime-local"
        step={1}
        aria-label={label}
        value={toLocal(value)}
        onChange={(event) => onChange(toIso(event.target.value))}
      />
    )
  }
  const isNumber = field.kind === 'integer' || field.kind === 'float' || field.kind === 'decimal'
  return (
    <Input
      type={INPUT_TYPES[field.kind] ?? 'text'}
      inputMode={isNumber ? 'decimal' : undefined}
      aria-label={label}
      placeholder={label}
      value={value === undefined || value === null ? '' : plainText(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** A value that suits an operator, keeping what was typed for another one where that makes sense. */
export function adaptValue(value: unknown, arity: Arity): unknown {
  if (arity === 'none') return undefined
  if (arity === 'list') return asList(value)
  if (arity === 'two') return asPair(value)
  return Array.isArray(value) ? value[0] : value
}

const asList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]).map(plainText)

const asPair = (value: unknown): [unknown, unknown] =>
  Array.isArray(value) ? [value[0] ?? '', value[1] ?? ''] : [value ?? '', '']

/** `2026-01-02T10:00:00.000Z` → what the browser's control shows in the reader's time zone. */
export function toLocal(value: unknown): string {
  const date = new Date(String(value ?? ''))
  if (Number.isNaN(date.getTime())) return ''
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

export function toIso(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
