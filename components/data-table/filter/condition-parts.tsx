'use client'
import { CircleAlertIcon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { FieldCondition } from './condition'
import type { Fault } from './condition-faults'
import type { FilterField } from './field'
import { initialCondition } from './initial-condition'
import { operatorsFor } from './operators'

type PartProps = { condition: FieldCondition; onChange: (condition: FieldCondition) => void }
type OperatorProps = { field: FilterField; operator: string; onChange: (operator: string) => void }

export function OperatorSelect({ field, operator, onChange }: OperatorProps) {
  const options = operatorsFor(field).map((choice) => ({
    value: choice.operator,
    label: choice.label,
  }))
  const value = options.find((choice) => choice.value === operator.toLowerCase())?.value
  return (
    <Select
      aria-label="Operator"
      value={value ?? operator}
      onValueChange={onChange}
      options={value ? options : [...options, { value: operator, label: operator }]}
    />
  )
}

/** Where in an object or a list the compared value is: `address.city`, `0.price`; empty: the whole. */
export function PathInput({
  base,
  path,
  condition,
  onChange,
}: PartProps & { base: FilterField; path: string }) {
  return (
    <Input
      aria-label={`Path inside ${base.label ?? base.name}`}
      placeholder="path.inside"
      autoComplete="off"
      className="font-mono text-xs"
      value={path}
      onChange={({ target }) => {
        const next = target.value.replace(/\s/g, '')
        if (next === '') return onChange(initialCondition(base))
        const inside = { ...condition, field: `${base.name}.${next}` }
        onChange(path === '' ? { ...inside, operator: 'eq', value: '' } : inside)
      }}
    />
  )
}

type FaultProps = { id: string; fault: Fault; onMeant: (condition: FieldCondition) => void }

export function FaultLine({ id, fault: { reason, meant }, onMeant }: FaultProps) {
  return (
    <p
      id={id}
      className="order-last col-span-full flex flex-wrap items-center gap-1.5 text-xs text-destructive"
    >
      <CircleAlertIcon aria-hidden className="size-3.5 shrink-0" />
      {reason}
      {meant && (
        <Button size="sm" className="h-6 text-xs" onClick={() => onMeant(meant.condition)}>
          Use “{meant.name}”
        </Button>
      )}
    </p>
  )
}
